/** Who may import whom: each folder knows its place (docs/architecture.md). */
const to = (...folders) => ({ path: "^(src|webview|test|scripts)/", pathNot: folders.map((f) => `^${f}`) });
const allow = (name, from, ...folders) => ({
  name,
  severity: "error",
  comment: `${from} may import only: itself${folders.length ? `, ${folders.join(", ")}` : ""}`,
  from: { path: `^${from}`, pathNot: "\\.test\\.ts$" },
  to: to(from, ...folders),
});
const core = (folder, ...more) =>
  allow(`core-${folder}`, `src/core/${folder}/`, ...more.map((m) => `src/core/${m}/`));
/** A library that one place only may import. */
const only = (name, library, ...homes) => ({
  name,
  severity: "error",
  comment: `only ${homes.join(", ")} may import ${library}`,
  from: { pathNot: [...homes.map((h) => `^${h}`), "^node_modules/"] },
  to: { path: `(^|/)node_modules/${library}(/|$)|^${library}$` },
});

module.exports = {
  forbidden: [
    {
      name: "no-circular",
      severity: "error",
      from: { path: "^(src|webview)/" },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "nothing-imports-tests",
      severity: "error",
      from: { path: "^(src|webview|scripts)/" },
      to: { path: "^test/" },
    },
    core("format"),
    core("io", "format"),
    core("stats"),
    core("chart", "stats"),
    core("run", "format", "stats"),
    core("records", "format", "io"),
    core("doctor", "format", "run", "stats"),
    core("compare", "format", "run", "stats", "records"),
    core("samples", "format", "io", "run"),
    core("reader", "format", "io", "run", "stats", "records"),
    core("runs", "format", "io"),
    core("recorder", "format", "io", "run", "stats", "reader"),
    core("synth", "format", "stats"),
    allow("core", "src/core/"),
    allow("protocol", "src/protocol/"),
    allow("view", "src/view/", "src/core/", "src/protocol/"),
    allow("agents", "src/agents/", "src/core/", "src/view/", "src/protocol/"),
    allow("report", "src/report/", "src/core/", "src/protocol/", "src/view/"),
    allow("web", "src/web/", "src/core/", "src/view/", "src/protocol/", "src/worker/runs.ts", "src/host/"),
    allow("worker", "src/worker/", "src/core/", "src/protocol/", "src/view/", "src/report/"),
    allow("recorder", "src/recorder/", "src/core/"),
    allow(
      "cli",
      "src/cli/",
      "src/core/",
      "src/view/",
      "src/agents/",
      "src/protocol/",
      "src/recorder/",
      "src/report/",
    ),
    allow("host", "src/host/", "src/core/", "src/view/", "src/agents/", "src/protocol/", "src/recorder/"),
    allow("extension", "src/extension.ts", "src/host/"),
    allow("webview", "webview/", "src/protocol/"),
    only("vscode-in-host", "vscode", "src/host/", "src/web/", "src/extension\\.ts"),
    {
      name: "no-vscode-types-outside-host",
      severity: "error",
      from: { pathNot: ["^src/host/", "^src/web/", "^src/extension\\.ts", "^node_modules/"] },
      to: { path: "@types/vscode" },
    },
    only(
      "parquet-in-reader",
      "(parquet-wasm|apache-arrow)",
      "src/core/reader/",
      "src/core/recorder/encode\\.ts",
    ),
    only("toolkit-in-seam", "(@vscode/webview-ui-toolkit|@vscode-elements/elements)", "webview/ui/"),
    only("mcp-in-server", "@modelcontextprotocol/sdk", "src/cli/mcp-server\\.ts"),
    only("vega-in-charts", "(vega[a-z-]*)", "webview/charts/", "scripts/"),
    {
      name: "core-without-node",
      severity: "error",
      comment: "only core/io opens files; the rest of the core runs anywhere",
      from: {
        path: "^src/core/(format|stats|chart|run|records|compare|reader|runs|samples|recorder|synth)/",
      },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "page-without-node",
      severity: "error",
      from: { path: "^webview/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "core-libraries",
      severity: "error",
      comment: "the core's libraries are few and named",
      from: { path: "^src/core/" },
      to: {
        path: "node_modules/",
        pathNot: "node_modules/(@types/)?(zod|parquet-wasm|apache-arrow|node|smol-toml|@stdlib)(/|$)",
      },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      extensions: [".ts", ".js", ".mjs", ".json"],
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "default"],
    },
  },
};
