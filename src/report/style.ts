/** The one style sheet of a report: light, dark and printed. No address is in it. */

const LIGHT = `--bg:#fff;--card:#f7f8fa;--fg:#1f2328;--muted:#59636e;--line:#d5d9de;--grid:#e6e9ed;--bad:#c4242b;--warn:#8f6000;--ok:#1a7f37;--info:#0a62c4;--pale:#eef1f4;
--s0:#0a62c4;--s1:#b8500b;--s2:#1a7f37;--s3:#8244c8;--s4:#b3206f;--s5:#0b7285;--s6:#7d6608;--s7:#5c636b;--h0:#e3edf8;--h1:#c4daf1;--h2:#a0c4e8;--h3:#78abdd;--h4:#508fcf;--h5:#2f73b9;--h6:#1b5797;--h7:#0c3b6d`;
const DARK = `--bg:#1b1d21;--card:#24272c;--fg:#e2e5e9;--muted:#a3acb6;--line:#3b4048;--grid:#2e3239;--bad:#ff7b72;--warn:#e0b040;--ok:#5fd07a;--info:#6cb2ff;--pale:#2b2f35;
--s0:#6cb2ff;--s1:#ff9e5e;--s2:#5fd07a;--s3:#c9a0ff;--s4:#ff8bc2;--s5:#5ad1e0;--s6:#e0c860;--s7:#b3bac2;--h0:#223040;--h1:#263f5b;--h2:#2b5078;--h3:#326296;--h4:#3d77b5;--h5:#5592cf;--h6:#7db0e2;--h7:#b3d4f4`;

export const STYLE = `
:root{color-scheme:light dark;${LIGHT}}
@media screen and (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
html{font:14px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;background:var(--bg);color:var(--fg);-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:1000px;padding:28px 24px 48px}
h1{font-size:22px;line-height:1.25;margin:0;overflow-wrap:anywhere}
h2{font-size:17px;margin:36px 0 12px;padding-bottom:6px;border-bottom:1px solid var(--line)}
h3{font-size:15px;margin:0;overflow-wrap:anywhere}
h4{font-size:11.5px;letter-spacing:.04em;text-transform:uppercase;color:var(--muted);margin:16px 0 6px}
p{margin:6px 0}
a{color:var(--info)}
code,pre,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:12.5px}
.rec{overflow-wrap:anywhere;white-space:pre-wrap}
.ctl{color:var(--warn);border:1px solid var(--line);border-radius:3px;padding:0 2px;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.85em}
.muted,.cut,.unit,.last{color:var(--muted)}
.cut{font-size:12.5px}
header .over{color:var(--muted);margin:0 0 2px}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(190px,1fr));gap:10px 20px;margin:16px 0 0}
.facts dt{font-size:11.5px;color:var(--muted)}
.facts dd{margin:0;overflow-wrap:anywhere}
.state{display:flex;flex-wrap:wrap;gap:4px 10px;align-items:baseline;margin:10px 0 0}
.pill{display:inline-block;border:1px solid currentColor;border-radius:10px;padding:0 9px;font-size:12.5px;font-weight:600;white-space:nowrap}
.bad,.critical{color:var(--bad)}.warn{color:var(--warn)}.ok{color:var(--ok)}.info{color:var(--info)}
.verdict{margin:18px 0 0;padding:12px 16px;border:1px solid var(--line);border-left:4px solid currentColor;border-radius:6px;background:var(--card)}
.verdict>*{color:var(--fg)}
.verdict b{font-size:15px}
.verdict ul{margin:6px 0 0;padding:0 0 0 18px}
.card{border:1px solid var(--line);border-left-width:4px;border-radius:6px;background:var(--card);padding:14px 16px 16px;margin:0 0 18px}
.card.critical{border-left-color:var(--bad)}.card.warn{border-left-color:var(--warn)}.card.info{border-left-color:var(--info)}
.card>*{color:var(--fg)}
.card .top{display:flex;flex-wrap:wrap;gap:4px 10px;align-items:baseline}
.card .top .pill.critical{color:var(--bad)}.card .top .pill.warn{color:var(--warn)}.card .top .pill.info{color:var(--info)}
.card .when{color:var(--muted);margin:2px 0 8px}
.figures{display:flex;flex-wrap:wrap;gap:8px 22px;margin:8px 0 0}
.figures div{min-width:0}
.figures dt{font-size:11.5px;color:var(--muted)}
.figures dd{margin:0;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
ol.tries{margin:4px 0 0;padding-left:20px}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,340px),1fr));gap:14px}
.chart{margin:0;border:1px solid var(--line);border-radius:6px;background:var(--bg);padding:8px 10px 6px;min-width:0}
.card .chart{margin-top:12px}
figcaption{display:flex;flex-wrap:wrap;gap:2px 8px;align-items:baseline;font-size:13px;padding:0 2px 2px}
.chart svg{display:block;width:100%;height:auto;overflow:visible}
.group{margin-left:auto;font-size:11.5px;color:var(--muted)}
.badge{border:1px solid var(--line);border-radius:8px;padding:0 6px;font-size:11.5px;color:var(--muted);white-space:nowrap}
.badge.odd{color:var(--warn);border-color:currentColor}
svg text{font:11px system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;fill:var(--muted)}
.ty{text-anchor:end}.tx{text-anchor:middle}.tx.end{text-anchor:end}.tx.start{text-anchor:start}.none{text-anchor:middle}
.grid,.tick,.base{stroke:var(--grid);fill:none}.base,.tick{stroke:var(--line)}
.s{fill:none;stroke-width:1.3;stroke-linejoin:round;vector-effect:non-scaling-stroke}
.dot{fill:none;stroke-width:3.4;stroke-linecap:round;vector-effect:non-scaling-stroke}
.s0{stroke:var(--s0)}.s1{stroke:var(--s1)}.s2{stroke:var(--s2)}.s3{stroke:var(--s3)}.s4{stroke:var(--s4)}.s5{stroke:var(--s5)}.s6{stroke:var(--s6)}.s7{stroke:var(--s7)}
.s.s1{stroke-dasharray:6 2}.s.s2{stroke-dasharray:2 2}.s.s3{stroke-dasharray:8 2 2 2}.s.s4{stroke-dasharray:4 4}.s.s5{stroke-dasharray:10 3}.s.s6{stroke-dasharray:1 3}.s.s7{stroke-dasharray:12 2 3 2}
.solo .s{stroke-dasharray:none}
.h0{fill:var(--h0)}.h1{fill:var(--h1)}.h2{fill:var(--h2)}.h3{fill:var(--h3)}.h4{fill:var(--h4)}.h5{fill:var(--h5)}.h6{fill:var(--h6)}.h7{fill:var(--h7)}
.win{opacity:.13}.win.early{fill:var(--ok)}.win.late{fill:var(--warn)}
.noise{fill:var(--muted);opacity:.2}
svg .label{font-size:10.5px;paint-order:stroke;stroke:var(--bg);stroke-width:3px;stroke-linejoin:round}svg .label.early{fill:var(--ok)}svg .label.late{fill:var(--warn)}svg .limit-label{fill:var(--bad);text-anchor:end}
.limit{stroke:var(--bad);stroke-dasharray:5 3;fill:none}
.onset{fill:none;stroke-width:1.6;stroke:var(--info)}.onset.critical{stroke:var(--bad)}.onset.warn{stroke:var(--warn)}
.flag{fill:var(--info)}.flag.critical{fill:var(--bad)}.flag.warn{fill:var(--warn)}svg .flag-label{fill:var(--bg);font-weight:700;font-size:10px;text-anchor:middle}
.nan{stroke:var(--warn);fill:none;stroke-width:1.4}.inf{fill:var(--warn)}.out{fill:var(--fg)}
.ev{fill:none;stroke-width:1.6;stroke:var(--muted)}.ev.bad{stroke:var(--bad)}.ev.warn{stroke:var(--warn)}.ev.checkpoint{stroke:var(--ok)}.ev.edge{stroke:var(--info)}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:2px 14px;margin:2px 0 0;padding:0;font-size:12px;color:var(--muted)}
.legend li{display:flex;align-items:center;gap:5px;min-width:0}
svg.key{display:inline-block;width:24px;height:8px;flex:none}
svg.scale,.chart figcaption svg.scale{display:inline-block;width:72px;height:8px;margin:0 5px}
.key .s{stroke-width:2}
.tablebox{margin:0 0 4px}
table{border-collapse:collapse;width:100%;font-size:13px;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:4px 12px 4px 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
th{font-size:11.5px;color:var(--muted);font-weight:600}
th.num,td.num{text-align:right;white-space:nowrap;overflow-wrap:normal}
td.key-cell,td.step{white-space:nowrap}
table.config{table-layout:fixed}table.config col.path{width:38%}
tr.differs td{background:var(--pale)}
.sample{border-top:1px solid var(--line);padding:8px 0 2px}
.sample .facts-line{font-size:12.5px;color:var(--muted)}
.sample h5{font-size:11px;font-weight:600;color:var(--muted);margin:6px 0 2px}
.passage pre{margin:0;padding:7px 10px;background:var(--bg);border:1px solid var(--line);border-radius:5px;white-space:pre-wrap;overflow-wrap:anywhere;max-width:100%}
.two{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,380px),1fr));gap:4px 28px}
ul.plain{list-style:none;margin:0;padding:0}ul.plain li{padding:3px 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
footer{margin-top:36px;color:var(--muted);font-size:12.5px}
@media (max-width:640px){body{padding:16px 12px}}
@media print{
:root{--bg:#fff;--card:#fff;--fg:#000;--muted:#333;--line:#999;--grid:#ddd;--pale:#eee}
@page{margin:14mm 12mm}
html{font-size:10.5pt}
body{max-width:none;padding:0}
h2,h3,h4,.top,.when,figcaption,thead{break-after:avoid}
.chart,.sample,tr,.verdict,.facts,.figures,li{break-inside:avoid}
.card{background:none}
h2{margin-top:22px}
thead{display:table-header-group}
.charts{grid-template-columns:1fr 1fr;gap:8px}
.chart{padding:4px 6px}
a{color:inherit;text-decoration:none}
.win{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`;
