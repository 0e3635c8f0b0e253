import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import {
  createClient,
  createServer,
  type Handlers,
  isAborted,
  ProblemError,
  type Refused,
  type Transport,
} from "../../../src/protocol/rpc.ts";
import type { Contract } from "../../../src/protocol/wire.ts";
import { cloneChannel, jsonChannel, type Pair } from "./channels.ts";

const AnyNumber = z.custom<number>((value) => typeof value === "number");
const contract = {
  double: { params: z.object({ value: z.number() }), result: z.object({ value: AnyNumber }) },
  array: {
    params: z.object({ values: z.instanceof(Float64Array) }),
    result: z.object({ values: z.instanceof(Float64Array), bytes: z.instanceof(Uint8Array) }),
  },
  wait: { params: z.object({}), result: z.object({}) },
  fail: { params: z.object({ how: z.string() }), result: z.object({}) },
  odd: { params: z.object({}), result: z.unknown() },
} as const satisfies Contract;
const notices = { tick: z.object({ at: AnyNumber }) } as const;

const open: Pair[] = [];
afterEach(() => {
  for (const pair of open.splice(0)) pair.close();
});

/** A promise and who settles it. */
function deferred<T = void>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function connect(pair: Pair, own: Partial<Handlers<typeof contract>> = {}) {
  open.push(pair);
  const refusedNear: Refused[] = [];
  const refusedFar: Refused[] = [];
  const errors: unknown[] = [];
  const heard: number[] = [];
  const noticed = deferred();
  const handlers: Handlers<typeof contract> = {
    double: ({ value }) => ({ value: value * 2 }),
    array: ({ values }) => ({ values: values.map((v) => v * 2), bytes: Uint8Array.of(1, 2, 3) }),
    wait: () => new Promise(() => {}),
    fail: ({ how }) => {
      if (how === "words") throw new ProblemError({ code: "x", message: "Words.", file: "f", remedy: "r" });
      throw new Error("secret path /home/me");
    },
    odd: () => "anything",
    ...own,
  };
  const server = createServer(contract, handlers, pair.far, {
    notices,
    onRefused: (refused) => refusedFar.push(refused),
    onError: (method, error) => errors.push([method, error]),
  });
  const client = createClient(contract, pair.near, {
    firstId: 1,
    notices,
    onNotice: (_name, data) => {
      heard.push(data.at);
      noticed.resolve();
    },
    onRefused: (refused) => refusedNear.push(refused),
  });
  return { client, server, refusedNear, refusedFar, errors, heard, noticed: noticed.promise };
}

const problem = async (promise: Promise<unknown>) =>
  promise.then(
    () => "answered",
    (error: unknown) => (error instanceof ProblemError ? error.problem : error),
  );

describe.each([
  ["a worker's channel", cloneChannel],
  ["a webview's channel", () => jsonChannel()],
])("over %s", (_name, channel) => {
  it("answers each request with its own answer, in whatever order", async () => {
    const gates = [deferred(), deferred()];
    const { client } = connect(channel(), {
      double: async ({ value }) => {
        await gates[value]?.promise;
        return { value: value * 2 };
      },
    });
    const first = client.call("double", { value: 0 });
    const second = client.call("double", { value: 1 });
    gates[1]?.resolve();
    expect(await second).toEqual({ value: 2 });
    gates[0]?.resolve();
    expect(await first).toEqual({ value: 0 });
    expect(client.pending).toBe(0);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "brings %s across",
    async (value) => {
      const { client } = connect(channel(), { double: () => ({ value }) });
      expect(await client.call("double", { value: 1 })).toEqual({ value });
    },
  );

  it("brings typed arrays across, and only the part that was meant", async () => {
    const { client } = connect(channel(), {
      array: ({ values }) => ({ values: values.subarray(1, 3), bytes: Buffer.from("abc") }),
    });
    const window = Float64Array.of(9, 1, Number.NaN, 3, 9).subarray(1, 4);
    const { values, bytes } = await client.call("array", { values: window });
    expect(values).toEqual(Float64Array.of(Number.NaN, 3));
    expect(values.buffer.byteLength).toBe(16);
    expect(bytes).toEqual(Uint8Array.of(97, 98, 99));
    expect(Object.getPrototypeOf(bytes)).toBe(Uint8Array.prototype);
    expect([...window]).toEqual([1, Number.NaN, 3]);
  });

  it("turns what a handler throws into words and keeps its own words from the page", async () => {
    const { client, errors } = connect(channel());
    const words = await problem(client.call("fail", { how: "words" }));
    expect(words).toEqual({ code: "x", message: "Words.", file: "f", remedy: "r" });
    const internal = await problem(client.call("fail", { how: "badly" }));
    expect(internal).toMatchObject({ code: "internal" });
    expect(JSON.stringify(internal)).not.toContain("secret");
    expect(errors).toEqual([["fail", new Error("secret path /home/me")]]);
  });

  it("answers what it does not know or understand, and reports it", async () => {
    const pair = channel();
    const { client, refusedFar } = connect(pair);
    for (const method of ["nothing", "constructor", "__proto__", "toString"]) {
      expect(await problem(client.call(method as "double", { value: 1 }))).toMatchObject({
        code: "bad-request",
      });
    }
    expect(await problem(client.call("double", { value: "2" } as never))).toMatchObject({
      code: "bad-request",
    });
    expect(refusedFar.map((refused) => refused.reason)).toEqual([
      "unknown-method",
      "unknown-method",
      "unknown-method",
      "unknown-method",
      "bad-params",
    ]);
  });

  it("refuses a result that is not what was promised", async () => {
    const { client, refusedNear } = connect(channel(), { double: () => ({ value: "4" }) as never });
    expect(await problem(client.call("double", { value: 2 }))).toMatchObject({ code: "bad-answer" });
    expect(refusedNear).toEqual([{ reason: "bad-result", name: "double", id: 1 }]);
  });

  it("cannot be fooled by keys", async () => {
    const value = JSON.parse(
      '{"__proto__":{"a":1},"$number":"NaN","$$x":[{"$number":"NaN","b":2}],"toString":3}',
    );
    const { client } = connect(channel(), { odd: () => value });
    const result = await client.call("odd", {});
    expect(JSON.stringify(result)).toBe(JSON.stringify(value));
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  it("answers with words when a result cannot be sent", async () => {
    const { client, refusedFar } = connect(channel(), { odd: () => ({ f: () => 1, n: 1n, s: Symbol("s") }) });
    expect(await problem(client.call("odd", {}))).toMatchObject({ code: "internal" });
    expect(refusedFar).toMatchObject([{ reason: "not-sent", name: "odd" }]);
  });

  it("rejects a request that cannot be sent", async () => {
    const { client } = connect(channel());
    const params = { value: Symbol("no") } as never;
    const sent = problem(client.call("odd", { value: 1n, f: () => 1 } as never));
    expect(await sent).toMatchObject({ code: "not-sent" });
    expect(await problem(client.call("double", params))).not.toBe("answered");
    expect(client.pending).toBe(0);
  });

  it("tells the handler when the caller no longer wants the answer, and answers nothing", async () => {
    const started = deferred<AbortSignal>();
    const { client, server } = connect(channel(), {
      wait: (_params, { signal }) => {
        started.resolve(signal);
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve({})));
      },
    });
    const controller = new AbortController();
    const call = problem(client.call("wait", {}, { signal: controller.signal }));
    const signal = await started.promise;
    controller.abort();
    expect(await call).toMatchObject({ code: "aborted" });
    await client.call("double", { value: 1 });
    expect(signal.aborted).toBe(true);
    expect(server.active).toBe(0);
    expect(client.pending).toBe(0);
  });

  it("sends nothing for a signal that was aborted before", async () => {
    const { client } = connect(channel());
    const error = await client.call("wait", {}, { signal: AbortSignal.abort() }).catch((e: unknown) => e);
    expect(isAborted(error)).toBe(true);
  });

  it("rejects all that is pending when the client is disposed", async () => {
    const { client } = connect(channel());
    const calls = [problem(client.call("wait", {})), problem(client.call("wait", {}))];
    client.dispose();
    expect(await Promise.all(calls)).toMatchObject([{ code: "aborted" }, { code: "aborted" }]);
    expect(await problem(client.call("wait", {}))).toMatchObject({ code: "aborted" });
  });

  it("aborts all that is at work when the server is disposed", async () => {
    const started = deferred<AbortSignal>();
    const { client, server } = connect(channel(), {
      wait: (_params, { signal }) => {
        started.resolve(signal);
        return new Promise(() => {});
      },
    });
    const call = problem(client.call("wait", {}));
    const signal = await started.promise;
    server.dispose();
    expect(signal.aborted).toBe(true);
    server.notify("tick", { at: 1 });
    client.dispose();
    expect(await call).toMatchObject({ code: "aborted" });
  });

  it("brings notices, and refuses those it does not know or understand", async () => {
    const pair = channel();
    const { client, server, heard, noticed, refusedNear } = connect(pair);
    pair.far.post({ v: 1, kind: "notice", name: "unheard", data: {} }, []);
    pair.far.post({ v: 1, kind: "notice", name: "tick", data: { at: "now" } }, []);
    server.notify("tick", { at: Number.POSITIVE_INFINITY });
    await noticed;
    expect(heard).toEqual([Number.POSITIVE_INFINITY]);
    expect(refusedNear.map((refused) => refused.reason)).toEqual(["unknown-notice", "bad-notice"]);
    client.dispose();
  });
});

describe("whatever the other end sends", () => {
  const junk: unknown[] = [
    null,
    undefined,
    0,
    "text",
    [],
    {},
    { v: 2, kind: "request", id: 1, method: "double", params: {} },
    { v: 1, kind: "shout" },
    { v: 1, kind: "request", id: 1.5, method: "double" },
    { v: 1, kind: "request", id: 7 },
    { v: 1, kind: "ok", id: "1", result: {} },
    { v: 1, kind: "error", id: 99, problem: { code: 1 } },
    { v: 1, kind: "notice" },
    {
      get kind() {
        return "request";
      },
      v: 1,
      id: Number.MAX_SAFE_INTEGER + 2,
    },
  ];
  /** Far deeper than any stack. */
  const deep = () => {
    let value: unknown = 1;
    for (let i = 0; i < 200_000; i++) value = [value];
    return value;
  };
  /** The two listeners by themselves, so that a throw would be seen. */
  function listeners() {
    const sent: unknown[] = [];
    const caught: { near?: (message: unknown) => void; far?: (message: unknown) => void } = {};
    const transport = (end: "near" | "far"): Transport => ({
      channel: "json",
      post: (message) => sent.push(message),
      listen(listener) {
        caught[end] = listener;
        return () => {};
      },
    });
    const parts = connect({ near: transport("near"), far: transport("far"), close() {} });
    return { ...parts, sent, near: caught.near ?? expect.fail(), far: caught.far ?? expect.fail() };
  }

  it("never throws, always reports", () => {
    const { near, far, refusedNear, refusedFar } = listeners();
    for (const message of [
      ...junk,
      deep(),
      { v: 1, kind: "request", id: 3, method: "odd", params: deep() },
    ]) {
      expect(() => near(message)).not.toThrow();
      expect(() => far(message)).not.toThrow();
    }
    expect(refusedNear.length).toBe(junk.length + 2);
    expect(refusedFar.length).toBe(junk.length + 2);
  });

  it("answers a malformed request that names an id, so that nobody waits for ever", () => {
    const { far, sent } = listeners();
    far({ v: 2, kind: "request", id: 7, method: "double", params: { value: 1 } });
    expect(sent).toMatchObject([{ kind: "error", id: 7, problem: { code: "bad-request" } }]);
  });

  it("settles the request that a malformed answer is for", async () => {
    const { client, near } = listeners();
    const call = problem(client.call("double", { value: 1 }));
    near({ v: 1, kind: "ok-ish", id: 1, result: { value: 2 } });
    expect(await call).toMatchObject({ code: "bad-answer" });
  });

  it("runs one request of an id only", () => {
    const { far, sent, refusedFar, server } = listeners();
    const request = { v: 1, kind: "request", id: 5, method: "wait", params: {} };
    far(request);
    far(request);
    expect(refusedFar).toEqual([{ reason: "duplicate-id", name: "wait", id: 5 }]);
    expect(server.active).toBe(1);
    expect(sent).toEqual([]);
  });

  it("tells a late answer from an invented one, and a second answer changes nothing", async () => {
    const { client, near, refusedNear } = listeners();
    const controller = new AbortController();
    const aborted = problem(client.call("wait", {}, { signal: controller.signal }));
    controller.abort();
    await aborted;
    near({ v: 1, kind: "ok", id: 1, result: {} });
    near({ v: 1, kind: "ok", id: 44, result: {} });
    const call = client.call("double", { value: 1 });
    near({ v: 1, kind: "ok", id: 2, result: { value: 2 } });
    near({ v: 1, kind: "ok", id: 2, result: { value: 3 } });
    expect(await call).toEqual({ value: 2 });
    expect(refusedNear.map((refused) => [refused.reason, refused.id])).toEqual([
      ["late", 1],
      ["unknown-id", 44],
      ["unknown-id", 2],
    ]);
  });

  it("does not follow requests on a client nor answers on a server", () => {
    const { near, far, refusedNear, refusedFar, sent } = listeners();
    near({ v: 1, kind: "request", id: 1, method: "double", params: { value: 1 } });
    far({ v: 1, kind: "ok", id: 1, result: {} });
    far({ v: 1, kind: "notice", name: "tick", data: {} });
    expect(refusedNear).toMatchObject([{ reason: "unexpected" }]);
    expect(refusedFar).toMatchObject([{ reason: "unexpected" }, { reason: "unexpected" }]);
    expect(sent).toEqual([]);
  });

  it("survives reporters that throw", () => {
    const pair = jsonChannel();
    let listener: (message: unknown) => void = () => {};
    const transport: Transport = {
      ...pair.near,
      listen(given) {
        listener = given;
        return () => {};
      },
    };
    createClient(contract, transport, {
      onRefused: () => {
        throw new Error("reporter");
      },
    });
    expect(() => listener({})).not.toThrow();
  });
});

describe("a page that starts over", () => {
  it("is not answered for the one before it", async () => {
    const pair = jsonChannel();
    open.push(pair);
    const gate = deferred();
    const signals: AbortSignal[] = [];
    const server = createServer(
      { slow: { params: z.object({}), result: z.object({ who: z.string() }) } },
      {
        slow: async (_params, { signal }) => {
          signals.push(signal);
          if (signals.length === 1) await gate.promise;
          return { who: `asker ${signals.length}` };
        },
      },
      pair.far,
    );
    const shape = { slow: { params: z.object({}), result: z.object({ who: z.string() }) } } as const;
    const refused: Refused[] = [];
    const before = createClient(shape, pair.near);
    const lost = problem(before.call("slow", {}));
    await Promise.resolve();
    before.dispose();
    await lost;
    const after = createClient(shape, pair.near, { onRefused: (one) => refused.push(one) });
    expect(await after.call("slow", {})).toEqual({ who: "asker 2" });
    server.abortAll();
    gate.resolve();
    expect(await after.call("slow", {})).toEqual({ who: "asker 3" });
    expect(signals.map((signal) => signal.aborted)).toEqual([true, false, false]);
    expect(refused).toEqual([]);
    expect(server.active).toBe(0);
  });

  it("starts from another number each time", async () => {
    const ids = new Set<number>();
    const transport: Transport = {
      channel: "json",
      post: (message) => ids.add((message as { id: number }).id),
      listen: () => () => {},
    };
    for (let i = 0; i < 50; i++) {
      const client = createClient(contract, transport);
      const call = problem(client.call("wait", {}));
      client.dispose();
      await call;
    }
    expect(ids.size).toBe(50);
  });
});

describe("a lost message", () => {
  it("leaves a request that its caller can give up", async () => {
    const { client } = connect(jsonChannel((message) => (message as { kind: string }).kind === "ok"));
    const controller = new AbortController();
    const call = problem(client.call("double", { value: 1 }, { signal: controller.signal }));
    await Promise.resolve();
    expect(client.pending).toBe(1);
    controller.abort();
    expect(await call).toMatchObject({ code: "aborted" });
  });

  it("is known to be lost when the transport says so later", async () => {
    const pair = jsonChannel();
    const { client } = connect({
      ...pair,
      near: { ...pair.near, post: () => Promise.reject(new Error("gone")) },
    });
    expect(await problem(client.call("double", { value: 1 }))).toMatchObject({ code: "not-sent" });
  });
});

describe("on a worker's channel", () => {
  it("moves whole arrays instead of copying them", async () => {
    const { client } = connect(cloneChannel());
    const values = Float64Array.of(1, 2);
    const answer = await client.call("array", { values });
    expect([...answer.values]).toEqual([2, 4]);
    expect(values.length).toBe(0);
  });

  it("moves a buffer once that two arrays share", async () => {
    const shared = Float64Array.of(1, 2);
    const { client } = connect(cloneChannel(), { odd: () => ({ a: shared, b: shared }) });
    expect(await client.call("odd", {})).toEqual({ a: Float64Array.of(1, 2), b: Float64Array.of(1, 2) });
  });
});
