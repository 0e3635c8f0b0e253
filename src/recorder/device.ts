/** Which device a process has, asked of nvidia-smi where there is one. */
import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";
import { GPU_QUERY, parseGpus, visibleGpu } from "../core/records/gpu.ts";
import type { Device } from "../core/records/write-witness.ts";

export interface DeviceFacts {
  readonly device: Device;
  readonly deviceName: string | null;
  /** What could not be found out; "" when nothing. */
  readonly problem: string;
}

const CPU: DeviceFacts = { device: "cpu", deviceName: null, problem: "" };

/** Milliseconds that nvidia-smi gets: a processor that fell off its bus lets it hang for ever. */
const PATIENCE = 5000;

/** The first NVIDIA processor that this process may see (CUDA_VISIBLE_DEVICES), or the CPU. Never rejects, and ends in time. */
export async function lookUpDevice(
  env: Readonly<Record<string, string | undefined>>,
  patience = PATIENCE,
): Promise<DeviceFacts> {
  const visible = env["CUDA_VISIBLE_DEVICES"];
  if (visible !== undefined && /^\s*(-1\s*(,.*)?)?$/s.test(visible)) return CPU;
  const program = findProgram(env);
  if (program === null) return CPU;
  const output = await outputOf(program, patience);
  if (output === null)
    return { device: "cuda", deviceName: null, problem: "nvidia-smi did not answer in time" };
  const gpu = visibleGpu(parseGpus(output), visible);
  return gpu === null ? CPU : { device: "cuda", deviceName: gpu.name, problem: "" };
}

/** In the folders of PATH alone: a working folder can hold anything. */
function findProgram(env: Readonly<Record<string, string | undefined>>): string | null {
  const name = process.platform === "win32" ? "nvidia-smi.exe" : "nvidia-smi";
  for (const folder of (env["PATH"] ?? env["Path"] ?? "").split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    const file = path.join(folder, name);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
  }
  return null;
}

/** What it prints, "" when it fails; `null` when it does not end: then it is left behind, since it may be deaf to signals too. */
function outputOf(program: string, patience: number): Promise<string | null> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      [...GPU_QUERY],
      { encoding: "utf8", maxBuffer: 1024 * 1024, windowsHide: true },
      (error, stdout) => {
        clearTimeout(timer);
        resolve(error ? "" : stdout);
      },
    );
    const timer = setTimeout(() => {
      resolve(null);
      child.kill("SIGKILL");
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
    }, patience);
  });
}
