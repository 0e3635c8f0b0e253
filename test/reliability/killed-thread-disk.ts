/** Before anything of the thread has run. */
import { getEnvironmentData } from "node:worker_threads";
import { type DeathAt, dieAt } from "./killed-fs.ts";

const death = getEnvironmentData("death") as DeathAt | undefined;
if (death) dieAt(death);
