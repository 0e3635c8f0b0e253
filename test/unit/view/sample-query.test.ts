/** Queries for samples as they are typed. */
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { runContract } from "../../../src/protocol/run.ts";
import { NO_FILTER, orderWords, parseQuery, QUERY_HELP } from "../../../src/view/sample-query.ts";

const query = (typed: string) => {
  const parsed = parseQuery(typed);
  if ("fault" in parsed) throw new Error(parsed.fault);
  return parsed.query;
};
const fault = (typed: string) => {
  const parsed = parseQuery(typed);
  return "fault" in parsed ? parsed.fault : "";
};

describe("a query", () => {
  it("without anything is all samples in reading order", () => {
    expect(query("  ")).toEqual({
      filter: NO_FILTER,
      order: { by: "row", descending: false },
      text: "",
      matchCase: false,
    });
  });

  it("narrows by what was recorded", () => {
    expect(query("step:100..200 rank:1 reason:top_k group:g1 prompt:p1 truncated:no").filter).toEqual({
      ...NO_FILTER,
      ...{ steps: [100, 200], rank: 1, reason: "top_k", group: "g1", truncated: false },
      prompt: { by: "id", key: "p1" },
    });
    expect(query("step:7 reward:..0.5 length:10.. truncated").filter).toMatchObject({
      ...{ steps: [7, 7], reward: [-Infinity, 0.5], length: [10, Infinity], truncated: true },
    });
    expect(query('group:"a b \\" c"').filter.group).toBe('a b " c');
  });

  it("is what can be asked of a run, ranges that are open on a side too", () => {
    const typed = [
      'step:100..200 reward<0.2 truncated sort:-advantage "the answer is"',
      "reward>1 length>=10 step<=5",
      "reward:..0.5 length:10.. step:7",
    ];
    for (const each of typed) {
      const { filter, order } = query(each);
      const asked = z.safeParse(runContract["samples.list"].params, { filter, order, offset: 0, limit: 10 });
      expect(asked.error?.issues ?? [], each).toEqual([]);
    }
    const filter = { ...NO_FILTER, reward: [Number.NaN, 1] };
    const asked = { filter, order: { by: "row", descending: false }, offset: 0, limit: 10 };
    expect(z.safeParse(runContract["samples.list"].params, asked).success).toBe(false);
  });

  it("leaves out the bound where it says below or above", () => {
    const [, below = 0] = query("reward<0.2").filter.reward ?? [];
    expect(below).toBeLessThan(0.2);
    expect(0.2 - below).toBeLessThan(1e-16);
    expect(query("reward<=-0.2").filter.reward).toEqual([-Infinity, -0.2]);
    const [above = 0] = query("reward>-0.2").filter.reward ?? [];
    expect(above).toBeGreaterThan(-0.2);
    expect(query("reward>0").filter.reward?.[0]).toBeGreaterThan(0);
  });

  it("looks for everything else", () => {
    expect(query('the answer "is 42" reward<1')).toMatchObject({ text: "the answer is 42" });
    expect(query("http://example.org a=b").text).toBe("http://example.org a=b");
    expect(query('"reward<1"')).toMatchObject({ text: "reward<1", filter: { reward: null } });
    expect(query('case:yes "X"')).toMatchObject({ text: "X", matchCase: true });
    expect(query('"unfinished').text).toBe('"unfinished');
  });

  it("sorts", () => {
    expect(query("sort:-advantage").order).toEqual({ by: "advantage", descending: true });
    expect(query("sort:reward").order).toEqual({ by: "reward_total", descending: false });
    expect(query("sort:component:exact").order.by).toBe("component:exact");
    expect(orderWords({ by: "reward_total", descending: true })).toBe("reward, largest first");
    expect(orderWords({ by: "component:__proto__", descending: false })).toBe("__proto__, smallest first");
  });

  it("says what it cannot understand", () => {
    expect(fault("reward:high")).toContain("needs a number");
    expect(fault("step:..")).toContain("needs a number");
    expect(fault("reward<1..2")).toContain("needs a number");
    expect(fault("rank:x")).toContain("rank:0");
    expect(fault("sort:constructor")).toContain("component:NAME");
    expect(fault("truncated:maybe")).toContain("yes or no");
    expect(fault("x".repeat(1001))).toContain("1,000");
  });

  it("says of what reads as a filter and is none that there is no such key, unless it is quoted", () => {
    expect(fault("rewrd<0.2")).toBe("There is no key “rewrd”; did you mean “reward”?");
    expect(fault("the answer Lenght:5")).toBe("There is no key “Lenght”; did you mean “length”?");
    expect(fault("rewrd=0.2")).toContain("did you mean “reward”");
    expect(fault("bogus:1")).toBe("There is no key “bogus”; quote it to look for it as text.");
    expect(fault('bogus:"a b"')).toContain("There is no key “bogus”");
    expect(fault("reward_mean>=-1e-3")).toContain("There is no key “reward_mean”");
    expect(fault("__proto__:1 constructor:1")).toContain("There is no key “constructor”");
    expect(fault("reason<1")).toBe("“reason” is text and has no order.");
    expect(query('"rewrd<0.2" "bogus:1"').text).toBe("rewrd<0.2 bogus:1");
  });

  it.each([
    ...[
      "http://example.org",
      "a::b",
      "std::vector<int>",
      "x:",
      "x=5",
      "a=b",
      "if(x<5)",
      "10:30",
      "a<b",
      "<b>",
    ],
    ...["C:\\runs", "mailto:a@b.c", "f:(x)", "a:=1", ":1", "<5"],
  ])("looks for %s as it stands", (text) => {
    expect(query(text)).toMatchObject({ text, filter: NO_FILTER });
  });

  it("is explained by an example that works", () => {
    expect(fault(QUERY_HELP.replace("For example: ", ""))).toBe("");
  });
});
