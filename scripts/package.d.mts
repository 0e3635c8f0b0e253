/** Packs what was built and answers the file's path. */
export function packageExtension(): Promise<string>;
