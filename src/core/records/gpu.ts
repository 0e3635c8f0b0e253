/** What nvidia-smi says about the graphics processors of a machine, and which of them a process sees first. */

export interface Gpu {
  readonly index: string;
  readonly uuid: string;
  /** `null` where the driver does not tell. */
  readonly name: string | null;
}

/** Asks for what {@link parseGpus} reads. */
export const GPU_QUERY: readonly string[] = ["--query-gpu=index,uuid,name", "--format=csv,noheader"];

/** @param csv one processor a line: index, uuid, name; lines that are anything else are passed over */
export function parseGpus(csv: string): Gpu[] {
  return csv.split("\n").flatMap((line) => {
    const match = /^\s*(\d+)\s*,\s*(GPU-[\w-]+)\s*,\s*(.*?)\s*$/.exec(line);
    const [, index, uuid, name = ""] = match ?? [];
    if (index === undefined || uuid === undefined) return [];
    return [{ index, uuid, name: name === "" || /^\[.*\]$/.test(name) ? null : name }];
  });
}

/**
 * The first processor that CUDA shows to a process.
 *
 * @param visible CUDA_VISIBLE_DEVICES, `undefined` when it is not set: numbers, or (beginnings of) UUIDs; what is behind a wrong one
 *   is hidden, as CUDA has it
 * @returns `null` when there is none; a part of a processor (MIG) has no name of its own here
 */
export function visibleGpu(gpus: readonly Gpu[], visible: string | undefined): Gpu | null {
  const [first = null] = gpus;
  if (visible === undefined || first === null) return first;
  const [wanted = ""] = visible.split(",").map((entry) => entry.trim());
  if (wanted.startsWith("MIG-")) return { index: "", uuid: wanted, name: null };
  if (wanted.startsWith("GPU-")) return gpus.find(({ uuid }) => uuid.startsWith(wanted)) ?? null;
  return gpus.find(({ index }) => index === wanted) ?? null;
}
