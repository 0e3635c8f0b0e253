/** The one line that says which library draws our controls; the other one is "./kit-elements.ts". */
export { kit } from "./kit-toolkit.ts";
