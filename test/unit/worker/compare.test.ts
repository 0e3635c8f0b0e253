/** Questions about several open runs, over a channel as the host asks them. */
import { describe, expect, it } from "vitest";
import { createClient, createServer, ProblemError } from "../../../src/protocol/rpc.ts";
import { workerContract } from "../../../src/protocol/worker.ts";
import { problemOfError } from "../../../src/view/problems.ts";
import { workerHandlers } from "../../../src/worker/runs.ts";
import { cloneChannel } from "../protocol/channels.ts";
import { column, fakeModel, NOW } from "../view/model.ts";

function start() {
  const { near, far, close } = cloneChannel();
  let warmed = 0;
  const handlers = workerHandlers({
    open: async () => fakeModel({ columns: { step: column([1, 2]), loss: column([3, 4]) } }),
    find: async () => ({ runs: [], folders: 0, cuts: [] }),
    label: (dir) => dir,
    cache: () => null,
    later: () => {},
    rehearse: async () => {},
    warm: () => warmed++,
    now: () => NOW,
    onError: () => {},
    answer: (work) => work(),
  });
  createServer(workerContract, handlers, far, { toProblem: problemOfError });
  return { client: createClient(workerContract, near), close, warmed: () => warmed };
}

const code = (promise: Promise<unknown>) =>
  promise.then(
    () => "ok",
    (error: unknown) => (error instanceof ProblemError ? error.problem.code : error),
  );

describe("comparisons", () => {
  const options = { z: 4, sustain: 5, align: "step" };
  const compare = (runs: readonly number[], method: string, params: unknown) => ({
    runs: [...runs],
    method,
    params,
  });

  it("answers questions about several open runs, again and again", async () => {
    const { client, close, warmed } = start();
    for (const dir of ["/a", "/b"]) await client.call("open", { dir, loose: false });
    const series = compare([1, 2], "compare.series", {
      ...{ metric: "loss", runs: null, align: "step", range: null, width: 10 },
    });
    const first = (await client.call("compare", series)) as {
      series: { run: number; series: { y: Float64Array } }[];
    };
    expect(first.series.map(({ run, series: { y } }) => [run, [...y]])).toEqual([
      [0, [3, 4]],
      [1, [3, 4]],
    ]);
    expect(await client.call("compare", series)).toEqual(first);
    expect(warmed()).toBeGreaterThan(0);
    const metrics = await client.call("compare", compare([2, 1], "compare.metrics", { other: 1, options }));
    expect(metrics).toMatchObject({ commonSteps: 2, compared: 0 });
    close();
  });

  it("refuses runs that are not open any more, unknown methods and misshapen parameters", async () => {
    const { client, close } = start();
    for (const dir of ["/a", "/b"]) await client.call("open", { dir, loose: false });
    const ask = (...args: Parameters<typeof compare>) => code(client.call("compare", compare(...args)));
    expect(await ask([1, 2], "compare.overview", {})).toBe("ok");
    expect(await ask([1, 3], "compare.overview", {})).toBe("closed");
    for (const method of ["run.overview", "constructor", "__proto__"])
      expect(await ask([1, 2], method, {}), method).toBe("bad-request");
    expect(await ask([1, 2], "compare.metrics", { other: 1 })).toBe("bad-request");
    expect(await ask([1, 2], "compare.metrics", { other: 2, options })).toBe("bad-request");
    await client.call("close", { run: 2 });
    expect(await ask([1, 2], "compare.overview", {})).toBe("closed");
    close();
  });
});
