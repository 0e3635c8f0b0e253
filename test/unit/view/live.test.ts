import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import type { FindingView } from "../../../src/protocol/diagnosis.ts";
import type { RunSummary } from "../../../src/protocol/runs.ts";
import { alertText, Told } from "../../../src/view/alerts.ts";
import { foremost, statusText, statusTooltip, type WatchedRun } from "../../../src/view/live-status.ts";
import { endedText, newsText } from "../../../src/view/live-words.ts";
import { parseWebhook, postText } from "../../../src/view/webhook.ts";

const kind = (signature: string, severity: string) => ({ signature, severity });

describe("what is news", () => {
  it("is told once for its signature and severity, also after it went away; two that come together are both new", () => {
    const told = new Told();
    const first = [kind("KL", "warn"), kind("NAN", "critical"), kind("NAN", "critical")];
    expect(told.take(first)).toEqual(first);
    expect(told.take(first)).toEqual([]);
    expect(told.take([])).toEqual([]);
    expect(told.take([kind("NAN", "critical"), kind("KL", "critical")])).toEqual([kind("KL", "critical")]);
    expect(new Told(told.kinds).take(first)).toEqual([]);
  });

  it("is one line of an alert", () => {
    const alert = { run: "r", ...kind("KL_BLOWUP", "critical"), firstStep: "120", words: "It rose." };
    expect(alertText(alert)).toBe("[r] CRITICAL KL_BLOWUP (onset ~step 120): It rose.");
    expect(alertText({ ...alert, firstStep: "" })).toBe("[r] CRITICAL KL_BLOWUP: It rose.");
  });
});

const summary = (more: Partial<RunSummary> = {}): RunSummary =>
  ({
    state: "running",
    stateReason: "Last written 2 s ago.",
    lastStep: "1204",
    lastReward: 0.031234,
    ...more,
  }) as RunSummary;
const run = (label: string, more: Partial<WatchedRun> = {}): WatchedRun => ({
  ...{ dir: `/runs/${label}`, label, summary: summary(), hasNews: false, isMuted: false, grownAt: 0 },
  ...more,
});

describe("the status bar", () => {
  it("says state, step and reward of the run that grew last; how many others there are", () => {
    expect(statusText([])).toBe("");
    expect(statusText([run("a")])).toBe("$(pulse) a: running · step 1,204 · reward 0.03123");
    const runs = [run("a", { grownAt: 5 }), run("b", { grownAt: 9 }), run("c")];
    expect(statusText(runs)).toBe("$(pulse) b: running · step 1,204 · reward 0.03123 +2");
  });

  it("puts one with news first", () => {
    const runs = [run("a", { hasNews: true }), run("b", { grownAt: 9 })];
    expect(foremost(runs)?.label).toBe("a");
    expect(statusText(runs)).toMatch(/^\$\(bell-dot\) a: /);
  });

  it("leaves out what is not known, and waits for a run that has not begun", () => {
    expect(statusText([run("a", { summary: null })])).toBe("$(watch) a: waiting");
    const bare = summary({ state: "stalled", lastStep: "", lastReward: null });
    expect(statusText([run("a", { summary: bare })])).toBe("$(clock) a: stalled");
    const exact = summary({ lastStep: "9007199254740993", lastReward: null });
    expect(statusText([run("a", { summary: exact })])).toBe(
      "$(pulse) a: running · step 9,007,199,254,740,993",
    );
  });

  it("shows no icon, line or direction that a folder's name asks for", () => {
    const name = "$(flame)\n\u202egnp";
    expect(statusText([run(name)])).toBe(
      "$(pulse) $ (flame) [right-to-left override]gnp: running · step 1,204 · reward 0.03123".replace(
        "[right-to-left override]",
        shownAs(),
      ),
    );
    expect(statusTooltip([run(name), run("b", { isMuted: true })]).split("\n").length).toBe(3);
    expect(statusTooltip([run("b", { isMuted: true })])).toContain("b (muted): running");
  });
});

/** How the direction mark is written, whatever that is: not as itself. */
function shownAs(): string {
  const text = statusText([run("\u202e", { summary: null })]);
  expect(text).not.toContain("\u202e");
  return text.slice("$(watch) ".length, text.indexOf(": waiting"));
}

describe("notifications", () => {
  const finding = (more: Partial<FindingView> = {}): FindingView =>
    ({
      title: "KL blow-up",
      severity: "critical",
      firstStepText: "125",
      words: "KL rose.",
      ...more,
    }) as FindingView;

  it("name the run, the worst finding, where it begins, and how many more there are", () => {
    expect(newsText("r", [finding()])).toBe("r: KL blow-up from step 125. KL rose.");
    expect(newsText("r", [finding({ firstStepText: "" }), finding()])).toBe(
      "r: KL blow-up. KL rose. And 1 more.",
    );
    expect(endedText("r", summary({ state: "crashed", stateReason: "It crashed." }))).toBe(
      "r: crashed. It crashed.",
    );
  });

  it("have no links, whatever was recorded", () => {
    const text = newsText("[run](command:x)", [finding({ words: "[here](command:workbench.action.quit)" })]);
    expect(text).not.toMatch(/\]\(/);
    expect(text).toContain("[here] (command");
  });
});

describe("a webhook", () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  async function listen(answer: number | null) {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        bodies.push(body);
        if (answer !== null) response.writeHead(answer).end();
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/secret`), bodies };
  }

  it("is http or https", () => {
    expect(parseWebhook("https://hooks.example/a")?.href).toBe("https://hooks.example/a");
    for (const bad of ["", "hooks.example", "file:///etc/passwd", "javascript:alert(1)", "ftp://x/y"])
      expect(parseWebhook(bad)).toBeNull();
  });

  it("gets Slack's body, in which nothing that was recorded calls anybody", async () => {
    const { url, bodies } = await listen(200);
    expect(await postText(url, "<!channel> & \u0000")).toBeNull();
    expect(bodies).toEqual(['{"text":"&lt;!channel&gt; &amp; \\u0000"}']);
  });

  it("that fails, hangs or is not there is told of in words without its address", async () => {
    expect(await postText((await listen(500)).url, "x")).toBe("it answered 500");
    expect(await postText((await listen(null)).url, "x", 50)).toBe("it did not answer in time");
    expect(await postText(new URL("http://127.0.0.1:1/secret"), "x")).toMatch(
      /^it could not be reached( \([A-Z]+\))?$/,
    );
  });
});
