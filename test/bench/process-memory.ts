import fs from "node:fs";

/**
 * Most resident memory that this process ever had, MB. Linux's `ru_maxrss` (resourceUsage) is inherited through exec
 * from whoever started the process, so the kernel's own mark for this program is read where there is one.
 */
export function peakMb(): number {
  try {
    const kb = /^VmHWM:\s+(\d+) kB/m.exec(fs.readFileSync("/proc/self/status", "utf8"))?.[1];
    if (kb) return Number(kb) / 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS / 1024;
}
