import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { Transport } from "../../../src/protocol/rpc.ts";

export interface Pair {
  readonly near: Transport;
  readonly far: Transport;
  close(): void;
}

/** Two ends of a real worker_threads channel. */
export function cloneChannel(): Pair {
  const { port1, port2 } = new MessageChannel();
  const transport = (port: MessagePort): Transport => ({
    channel: "clone",
    post: (message, transfer) => port.postMessage(message, [...transfer]),
    listen(listener) {
      port.on("message", listener);
      return () => port.off("message", listener);
    },
  });
  return { near: transport(port1), far: transport(port2), close: () => port1.close() };
}

/** What VS Code does to a webview message: JSON, with array buffers let through and views rebuilt over them. */
export function serialize(message: unknown): unknown {
  const buffers: ArrayBuffer[] = [];
  const text = JSON.stringify(message, (_key, value: unknown) => {
    if (value instanceof ArrayBuffer) return { $buffer: buffers.push(value) - 1 };
    if (ArrayBuffer.isView(value)) {
      const index = buffers.push(value.buffer as ArrayBuffer) - 1;
      return { $buffer: index, type: value.constructor.name, at: value.byteOffset, bytes: value.byteLength };
    }
    return value;
  });
  if (text === undefined) return undefined;
  return JSON.parse(text, (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || !("$buffer" in value)) return value;
    const { $buffer, type, at, bytes } = value as {
      $buffer: number;
      type?: string;
      at: number;
      bytes: number;
    };
    const buffer = (buffers[$buffer] as ArrayBuffer).slice(0);
    if (type === "Float64Array") return new Float64Array(buffer, at, bytes / 8);
    if (type === "Uint8Array") return new Uint8Array(buffer, at, bytes);
    return buffer;
  });
}

/** Two ends that talk as a webview and its host do. `lose` decides which messages never arrive. */
export function jsonChannel(lose: (message: unknown) => boolean = () => false): Pair {
  const listeners = { near: new Set<(m: unknown) => void>(), far: new Set<(m: unknown) => void>() };
  const transport = (own: Set<(m: unknown) => void>, other: Set<(m: unknown) => void>): Transport => ({
    channel: "json",
    post(message) {
      const arrived = serialize(message);
      if (lose(message)) return;
      queueMicrotask(() => {
        for (const listener of other) listener(arrived);
      });
    },
    listen(listener) {
      own.add(listener);
      return () => own.delete(listener);
    },
  });
  return {
    near: transport(listeners.near, listeners.far),
    far: transport(listeners.far, listeners.near),
    close() {
      listeners.near.clear();
      listeners.far.clear();
    },
  };
}
