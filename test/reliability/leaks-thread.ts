/** The thread as it is, which collects its garbage when it is told to and says what is left, KB. */
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import "../../src/worker/main.ts";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;
const collector = new BroadcastChannel("collect");
collector.onmessage = () => {
  gc();
  gc();
  const { used_heap_size, external_memory } = getHeapStatistics();
  collector.postMessage(Math.round((used_heap_size + external_memory) / 1024));
};
