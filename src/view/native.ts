/**
 * Text of a recording in VS Code's own surfaces, where a text can be more than text: "$(bug)" draws an icon in lists and in the status
 * bar, "[text](command:…)" is a link in notifications. A name of a folder is recorded text too.
 */
import { visibleLabel } from "./visible.ts";

const MAX_NOTICE = 1000;

/** What VS Code takes for an icon. */
const ICON = /\$\((?=[a-z0-9-]+(?:~[a-z]+)?\))/gi;

/** For an entry of a quick pick, where icons can be drawn: on one line, and none is. */
export function itemText(text: string, limit: number): string {
  return visibleLabel(text, limit).replace(ICON, "\\$(");
}

/** For a notification: on one line, and nothing in it is a link. */
export function noticeText(text: string): string {
  return withoutLinks(visibleLabel(text, MAX_NOTICE));
}

/** "[text](address)" would be a link, and could be one to a command. */
export const withoutLinks = (text: string): string => text.replaceAll("](", "] (");

const MAX_TITLE = 80;

/** A name in the title of a tab or of an input. */
export const tabText = (name: string): string => visibleLabel(name, MAX_TITLE);
