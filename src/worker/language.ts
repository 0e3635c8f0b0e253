/** Before all else of the thread: words are kept by modules from the moment they are loaded. */
import { workerData } from "node:worker_threads";
import { speak } from "../protocol/l10n.ts";
import type { WorkerData } from "../protocol/worker.ts";

const data: Partial<WorkerData> | null = workerData;
speak(data?.words);
