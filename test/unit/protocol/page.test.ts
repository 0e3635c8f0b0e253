import { expect, it } from "vitest";
import * as z from "zod/mini";
import { PageAction, pageNotices } from "../../../src/protocol/page.ts";

const accepts = (shape: z.core.$ZodType, value: unknown) => z.safeParse(shape, value).success;

it.each([
  [{ action: "openRun" }, true],
  [{ action: "copyPath" }, true],
  [{ action: "explain", code: "bom" }, true],
  [{ action: "revealFile", file: "steps" }, true],
  [{ action: "copy", code: "bom", file: "" }, true],
  [{ action: "explain" }, false],
  [{ action: "copy", text: "curl evil" }, false],
  [{ action: "revealFile", file: 1 }, false],
  [{ action: "workbench.action.terminal.new" }, false],
])("what a page may ask for: %j", (value, isAllowed) => {
  expect(accepts(PageAction, value)).toBe(isAllowed);
});

it("drops what an action has no use for", () => {
  expect(z.parse(PageAction, { action: "copy", code: "bom", file: "", text: "other" })).toEqual({
    action: "copy",
    code: "bom",
    file: "",
  });
});

it("tells pages what changed and what stopped", () => {
  expect(accepts(pageNotices.changed, { state: "run" })).toBe(true);
  expect(accepts(pageNotices.changed, {})).toBe(false);
  const problem = { code: "worker-refused", message: "m", file: "steps.parquet", remedy: "" };
  expect(accepts(pageNotices.stopped, { problem })).toBe(true);
});
