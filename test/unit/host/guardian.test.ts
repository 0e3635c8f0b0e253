/** Who is told of what, and when: a guardian of runs that a test makes grow. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Follower, Guardian } from "../../../src/host/live/guardian.ts";
import { Throttle } from "../../../src/host/live/throttle.ts";
import { Webhook } from "../../../src/host/live/webhook.ts";
import type { Leased } from "../../../src/host/worker/pool.ts";
import type { FindingView } from "../../../src/protocol/diagnosis.ts";
import type { RunState, RunSummary } from "../../../src/protocol/runs.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const pass = (ms = 2000) => vi.advanceTimersByTimeAsync(ms);

class FakeRun {
  state: RunState = "running";
  step = 0;
  findings: FindingView[] = [];
  isThere = true;
  opened = 0;
  held = 0;
  reloads = 0;
  diagnosed = 0;

  find(signature: string, severity = "critical"): void {
    this.findings.push({ id: signature, signature, severity } as FindingView);
  }
}

function start(memory = new Map<string, unknown>(), isAutomatic = true, ready = Promise.resolve()) {
  const run = new FakeRun();
  const told: string[] = [];
  const followers: (Follower & { change(): Promise<void>; isOver: boolean })[] = [];
  const summary = (): RunSummary =>
    ({ state: run.state, stateReason: "", lastStep: String(run.step), lastReward: null }) as RunSummary;
  const acquire = async (): Promise<Leased> => {
    run.opened++;
    if (!run.isThere) return { state: "empty", label: "r", problem: {} as never, loose: false };
    run.held++;
    let isHeld = true;
    const release = (): void => {
      if (isHeld) run.held--;
      isHeld = false;
    };
    const worker = {
      call: async () => {
        if (!run.isThere) throw new Error("gone");
        return summary();
      },
      reload: async () => {
        run.reloads++;
        return { state: run.isThere ? "run" : "empty" };
      },
    };
    return { state: "run", lease: { run: worker as never, release } };
  };
  // As the doctor tells of changes.
  const rhythm = new Throttle((dir) => guardian.rethink((other) => other === dir), {
    least: 5000,
    share: 20,
  });
  const changed = (dir = "/r"): void => {
    guardian.runChanged(dir);
    rhythm.ask(dir);
  };
  const guardian: Guardian = new Guardian({
    acquire,
    forgive: () => {},
    diagnose: async () => {
      run.diagnosed++;
      return [...run.findings];
    },
    follow(_, onChanged) {
      const follower = {
        ...{ ready, visible: false, live: false, isOver: false, change: onChanged },
        dispose() {
          follower.isOver = true;
        },
      };
      followers.push(follower);
      return follower;
    },
    changed,
    isAutomatic: () => isAutomatic,
    memory: {
      get: <T>(key: string) => memory.get(key) as T | undefined,
      update: async (key, value) => void memory.set(key, value),
    },
    log: (text) => told.push(`log ${text}`),
  });
  guardian.onNews(({ label, findings }) => told.push(`${label} ${findings.map(({ id }) => id)}`));
  guardian.onEnded(({ label, summary: { state } }) => told.push(`${label} ${state}`));
  const states = () => guardian.watched().map((one) => `${one.summary?.state} ${one.summary?.lastStep}`);
  const editor = {};
  const show = (isVisible: boolean, isActive = isVisible) =>
    guardian.shows(editor, "/r", { isVisible, isActive });
  return { guardian, run, told, followers, changed, states, editor, show, memory };
}

describe("a run that an editor shows", () => {
  it("is watched while it goes on, by what the editor notices; nothing is opened for it that stays open", async () => {
    const { guardian, run, states, show, changed, followers } = start();
    show(true);
    await pass();
    expect(states()).toEqual(["running 0"]);
    run.step = 5;
    changed();
    await pass();
    expect(states()).toEqual(["running 5"]);
    run.state = "finished";
    changed();
    await pass();
    expect(states()).toEqual([]);
    // It is resumed.
    run.state = "running";
    changed();
    await pass();
    expect(states()).toEqual(["running 5"]);
    expect([run.held, run.reloads, followers.length]).toEqual([0, 0, 0]);
    guardian.dispose();
  });

  it("is followed here while its editor is hidden", async () => {
    const { guardian, run, show, states, followers } = start();
    show(true);
    await pass();
    // Written just before: whoever begins to follow now sees no change in it.
    run.step = 4;
    show(false);
    await pass(10_000);
    expect([states(), run.reloads]).toEqual([["running 4"], 1]);
    expect(followers.map(({ visible, live }) => [visible, live])).toEqual([[true, true]]);
    run.step = 9;
    await followers[0]?.change();
    await pass();
    expect([states(), run.reloads, run.held]).toEqual([["running 9"], 2, 0]);
    show(true);
    expect(followers[0]?.visible).toBe(false);
    guardian.dispose();
  });

  it("is read again only when who follows it knows its files: what comes later is a change", async () => {
    let known = (): void => {};
    const ready = new Promise<void>((resolve) => {
      known = resolve;
    });
    const { guardian, run, show, states } = start(undefined, undefined, ready);
    show(true);
    await pass();
    show(false);
    await pass(10_000);
    expect(run.reloads).toBe(0);
    run.step = 4;
    known();
    await pass(10_000);
    expect([states(), run.reloads]).toEqual([["running 4"], 1]);
    guardian.dispose();
  });

  it("has no news in what was wrong when it was opened, but in what comes then, once, and worse of it again", async () => {
    const { guardian, run, told, show, changed } = start();
    run.find("OLD");
    show(true);
    await pass();
    expect(told).toEqual([]);
    run.find("NEW", "warn");
    changed();
    await pass(20_000);
    expect(told).toEqual(["r NEW"]);
    for (let i = 0; i < 5; i++) {
      changed();
      await pass(20_000);
    }
    expect(told).toEqual(["r NEW"]);
    run.findings = [];
    run.find("NEW", "critical");
    changed();
    await pass(20_000);
    expect(told).toEqual(["r NEW", "r NEW"]);
    guardian.dispose();
  });

  it("is marked when something critical comes while nobody looks, until somebody does", async () => {
    const { guardian, run, show, changed } = start();
    show(true);
    await pass();
    show(true, false);
    run.find("NEW");
    changed();
    await pass(6000);
    expect(guardian.get("/r")?.hasNews).toBe(true);
    show(true);
    expect(guardian.get("/r")?.hasNews).toBe(false);
    guardian.dispose();
  });

  it("is diagnosed every five seconds at most, however fast it grows, and after the last of it", async () => {
    const { guardian, run, told, show, changed } = start();
    show(true);
    await pass();
    run.diagnosed = 0;
    for (let i = 0; i < 200; i++) {
      run.step++;
      if (i === 199) run.find("LAST");
      changed();
      await pass(100);
    }
    expect(run.diagnosed).toBeLessThanOrEqual(5);
    await pass(6000);
    expect(told).toEqual(["r LAST"]);
    guardian.dispose();
  });

  it("is left alone where the setting says so, and when its editor closes", async () => {
    const off = start(new Map(), false);
    off.show(true);
    await pass();
    expect([off.guardian.get("/r"), off.run.opened]).toEqual([null, 0]);
    const { guardian, run, show, editor, states, changed } = start();
    show(true);
    await pass();
    guardian.closed(editor);
    expect(states()).toEqual([]);
    run.opened = 0;
    changed();
    await pass(60_000);
    expect(run.opened).toBe(0);
  });
});

describe("a run that somebody asked for", () => {
  it("may not have begun; stays open and is followed; its first findings are news; its end is told", async () => {
    const { guardian, run, told, states, followers } = start();
    run.isThere = false;
    guardian.watch("/r");
    await pass();
    expect(states()).toEqual(["undefined undefined"]);
    run.isThere = true;
    run.find("KL");
    await followers[0]?.change();
    await pass();
    expect([states(), told, run.held]).toEqual([["running 0"], ["r KL"], 1]);
    run.find("LAST", "warn");
    run.state = "finished";
    await followers[0]?.change();
    await pass();
    expect(told).toEqual(["r KL", "r LAST", "r finished"]);
    expect([states(), run.held, followers[0]?.isOver]).toEqual([[], 0, true]);
  });

  it("is another by the clock alone, and goes on being watched then", async () => {
    const { guardian, run, told, states } = start();
    guardian.watch("/r");
    await pass();
    run.state = "stalled";
    await pass(16_000);
    expect(states()).toEqual(["stalled 0"]);
    run.state = "killed";
    await pass(16_000);
    expect([states(), told]).toEqual([["killed 0"], ["r killed"]]);
    guardian.stop("/r");
    expect([states(), run.held]).toEqual([[], 0]);
  });

  it("that is taken away is let go of, and taken up again when it is back", async () => {
    const { guardian, run, states, followers } = start();
    guardian.watch("/r");
    await pass();
    run.isThere = false;
    await followers[0]?.change();
    await pass();
    expect([states(), run.held]).toEqual([["undefined undefined"], 0]);
    run.isThere = true;
    await followers[0]?.change();
    await pass();
    expect([states(), run.held]).toEqual([["running 0"], 1]);
    guardian.dispose();
    expect(run.held).toBe(0);
  });

  it("says nothing while it is muted, in another window too, and nothing of it later", async () => {
    const { guardian, run, told, changed, memory } = start();
    guardian.watch("/r");
    await pass();
    guardian.mute("/r");
    run.find("KL");
    changed();
    await pass(20_000);
    expect([told, guardian.watched()[0]?.isMuted, guardian.watched()[0]?.hasNews]).toEqual([[], true, false]);
    const other = start(memory);
    other.show(true);
    other.run.find("NAN");
    other.changed();
    await pass(20_000);
    expect(other.told).toEqual([]);
    // Asked for again.
    guardian.watch("/r");
    run.find("LATER");
    changed();
    await pass(20_000);
    expect(told).toEqual(["r LATER"]);
    guardian.dispose();
    other.guardian.dispose();
  });

  it("is not told of again after the window was opened anew; memory that is damaged counts for nothing", async () => {
    const first = start();
    first.run.find("KL");
    first.guardian.watch("/r");
    await pass();
    expect(first.told).toEqual(["r KL"]);
    first.guardian.dispose();
    const again = start(first.memory);
    again.run.find("KL");
    again.guardian.watch("/r");
    await pass();
    expect(again.told).toEqual([]);
    const damaged = start(
      new Map<string, unknown>([
        ["flightDeck.live.told", [1, ["/r", 5]]],
        ["flightDeck.live.muted", "x"],
      ]),
    );
    damaged.run.find("KL");
    damaged.guardian.watch("/r");
    await pass();
    expect(damaged.told).toEqual(["r KL"]);
    again.guardian.dispose();
    damaged.guardian.dispose();
  });
});

describe("the webhook of the editor", () => {
  it("has its address in the secret storage only; without one, or where that is closed, a line goes to the log", async () => {
    const kept = new Map<string, string>();
    const logged: string[] = [];
    const secrets = {
      get: async (key: string) => kept.get(key),
      store: async (key: string, value: string) => void kept.set(key, value),
      delete: async (key: string) => void kept.delete(key),
    };
    const hook = new Webhook(secrets, (text) => logged.push(text));
    const findings = [
      { signature: "KL", severity: "critical", firstStepText: "", words: "", what: "" } as FindingView,
    ];
    await hook.send("r", findings);
    expect(logged).toEqual([expect.stringContaining("it has no address")]);
    expect(await hook.set("ftp://x/secret")).toBe(false);
    expect(await hook.set("http://127.0.0.1:1/secret")).toBe(true);
    expect([...kept.values()]).toEqual(["http://127.0.0.1:1/secret"]);
    vi.useRealTimers();
    await hook.send("r", findings);
    expect(logged[1]).toMatch(/^the webhook was not told: it could not be reached/);
    expect(await hook.set("")).toBe(true);
    expect(kept.size).toBe(0);
    const closed = new Webhook({ ...secrets, get: () => Promise.reject(new Error("secret")) }, (text) =>
      logged.push(text),
    );
    await closed.send("r", findings);
    expect(logged.join()).not.toContain("secret");
  });
});
