/** Before all else of a page: the host has left its words in the document, unless they are English. */
import { type Bundle, speak } from "../src/protocol/l10n.ts";

/** The element is of a type that no browser runs; `src/host/editor/html.ts` writes it. */
const words = document.getElementById("words")?.textContent;
if (words) speak(JSON.parse(words) as Bundle);
