/**
 * Runs a program (its arguments) that must not outlive whoever started this one: when the standard input closes,
 * by a clean end or a kill, the whole process group ends.
 */
import { spawn } from "node:child_process";

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });

child.once("error", (error) => {
  console.error(error.message);
  process.exit(127);
});
child.once("exit", (code) => process.exit(code ?? 1));
process.stdin.resume().once("end", () => {
  // 0: this group, which this process leads.
  process.kill(process.platform === "win32" ? child.pid : 0, "SIGKILL");
});
process.on("SIGTERM", () => child.kill("SIGTERM"));
