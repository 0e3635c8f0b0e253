/**
 * Imported before the toolkit, which takes VS Code's colours from the window's load event on. Where it is loaded after that event,
 * it would wait for ever with the colours of a dark theme: what it has waiting is called once it is there.
 */
const waiting: EventListener[] = [];

if (document.readyState === "complete") {
  const { addEventListener } = window;
  Reflect.set(window, "addEventListener", (type: string, listener: EventListener, options?: boolean) => {
    if (type === "load") waiting.push(listener);
    else addEventListener.call(window, type, listener, options);
  });
}

/** To be called right after the toolkit was loaded. */
export function loaded(): void {
  // The prototype's own comes to light again.
  Reflect.deleteProperty(window, "addEventListener");
  for (const listener of waiting.splice(0)) listener.call(window, new Event("load"));
}
