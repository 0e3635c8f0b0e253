/** Before all else: the one thing of Node's that shared code uses and a browser lacks. */
const { port1, port2 } = new MessageChannel();
const waiting: (() => void)[] = [];
Reflect.set(port1, "onmessage", () => waiting.shift()?.());

// Other arguments and handles are used by nobody here.
const later = (work: () => void): void => {
  waiting.push(work);
  port2.postMessage(null);
};
if (typeof Reflect.get(globalThis, "setImmediate") !== "function")
  Reflect.set(globalThis, "setImmediate", later);
