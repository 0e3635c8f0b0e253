/** Before all else of the thread: words are kept by modules from the moment they are loaded. */
import { AsyncLocalStorage } from "node:async_hooks";
import { workerData } from "node:worker_threads";
import { asideBy, speak } from "../protocol/l10n.ts";
import type { WorkerData } from "../protocol/worker.ts";

const data: Partial<WorkerData> | null = workerData;
speak(data?.words);
asideBy(new AsyncLocalStorage());
