/** Parts of the tools' inputs. */
import * as z from "zod/mini";

export const PathText = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(4096),
    z.describe("The run's folder: a path from flightdeck_list_runs, absolute or relative to a root."),
  );

export const CursorText = z
  .string()
  .check(
    z.maxLength(80),
    z.describe("next_cursor of an earlier answer, with all other arguments as they were: the next page."),
  );

export const Step = z.number().check(z.gte(-1e15), z.lte(1e15));
