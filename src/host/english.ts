/** Beside VS Code's language, English for what leaves VS Code: answers to language models, messages to a webhook. */
import { AsyncLocalStorage } from "node:async_hooks";
import { asideBy } from "../protocol/l10n.ts";

asideBy(new AsyncLocalStorage());
