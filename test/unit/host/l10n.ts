/** VS Code's `l10n` in English, for the VS Codes that unit tests make up. */
import { t } from "../../../src/protocol/l10n.ts";

export const l10n = { t, bundle: undefined };
