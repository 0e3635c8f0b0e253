/** What describes a command, and options that several have. */

export interface Option {
  readonly type: "boolean" | "integer" | "number" | "text";
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly help: string;
  readonly default?: number;
  readonly min?: number;
  readonly required?: boolean;
  /** Can be given more than once. */
  readonly several?: boolean;
  /** One letter that stands for it too. */
  readonly short?: string;
}

export interface Command {
  readonly name: string;
  /** The one positional argument, or the name of several. */
  readonly argument: {
    readonly name: string;
    readonly help: string;
    readonly default?: string;
    /** As many as this at least, and any number more. */
    readonly atLeast?: number;
    /** How several stand in the usage line. */
    readonly usage?: string;
  };
  readonly help: string;
  readonly options: Readonly<Record<string, Option>>;
}

export const JSON_OPTION: Option = {
  type: "boolean",
  help: "Print JSON; numbers that are not finite are null.",
};
export const AS_RECORDED: Option = {
  type: "boolean",
  help: "Take rows as they lie in the files, as rlprobe does. Otherwise they are sorted by step, and rows of one step are merged.",
};
export const NO_CACHE: Option = {
  type: "boolean",
  help: "Neither use nor keep an index of the samples from one call to the next.",
};
export const RUN = { name: "RUN", help: "Folder of a recorded run." };
