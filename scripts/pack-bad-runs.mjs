/**
 * Packs a corpus of damaged runs into test/fixtures/bad: what each case changes of its base run, all bytes in one
 * compressed blob. `node scripts/pack-bad-runs.mjs CORPUS` where CORPUS has base/, runs/ and cases.json.
 * Cases of megabytes are left out; test/reliability builds those itself.
 */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";

const corpus = process.argv[2];
if (!corpus) throw new Error("usage: node scripts/pack-bad-runs.mjs CORPUS");
const out = path.join(import.meta.dirname, "..", "test", "fixtures", "bad");

/** Built by the test from the base run, since their bytes say nothing that a line of code does not. */
const BUILT = new Set([
  "d-cols-2000",
  "e-1e6-lines",
  "e-long-line",
  "f-name-bytes",
  "f-sparse-8g",
  "f-sparse-parquet",
  "j-10mb",
  "l-part-1000-small",
  "m-50mb",
  "m-deep-1000000",
  "m-run-id-long",
  "p-claim-created-by-10mb",
  "r-300",
  "s-5000-shards",
]);

/** Everything below a folder that is no folder itself, and empty folders. */
function* walk(dir, below = "") {
  const entries = fs.readdirSync(path.join(dir, below), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (entries.length === 0 && below !== "") yield { path: below, kind: "dir" };
  for (const e of entries) {
    const at = below === "" ? e.name : `${below}/${e.name}`;
    if (e.isDirectory()) yield* walk(dir, at);
    else if (e.isSymbolicLink())
      yield { path: at, kind: "link", target: fs.readlinkSync(path.join(dir, at)) };
    else if (e.isFIFO()) yield { path: at, kind: "fifo" };
    else yield { path: at, kind: "file", bytes: fs.readFileSync(path.join(dir, at)) };
  }
}

const blobs = [];
const known = new Map();
let length = 0;
/** Place of some bytes in the blob, stored once however often they occur. */
function store(bytes) {
  const key = createHash("sha256").update(bytes).digest("hex");
  let place = known.get(key);
  if (!place) {
    place = [length, bytes.length];
    known.set(key, place);
    blobs.push(bytes);
    length += bytes.length;
  }
  return place;
}

function entriesOf(dir) {
  return [...walk(dir)].map(({ bytes, ...e }) => (bytes ? { ...e, blob: store(bytes) } : e));
}

/** What differs from the base: entries that are new or other, and paths that are gone. */
function change(base, now) {
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  const before = new Map(base.map((e) => [e.path, e]));
  const after = new Map(now.map((e) => [e.path, e]));
  return {
    put: now.filter((e) => !same(before.get(e.path), e)),
    gone: base.filter((e) => !after.has(e.path)).map((e) => e.path),
  };
}

const bases = Object.fromEntries(
  fs.readdirSync(path.join(corpus, "base")).map((b) => [b, entriesOf(path.join(corpus, "base", b))]),
);
const cases = JSON.parse(fs.readFileSync(path.join(corpus, "cases.json"), "utf8")).map((c) => {
  const { id, wrong, verdict, codes, salvage, base, names, as_user: asUser, slow } = c;
  const kept = { id, wrong, verdict, codes, salvage, base, names, asUser, slow, name: path.basename(c.dir) };
  if (BUILT.has(id) || asUser) return { ...kept, built: true };
  return { ...kept, ...change(bases[base], entriesOf(path.join(corpus, c.dir))) };
});

fs.mkdirSync(out, { recursive: true });
fs.writeFileSync(path.join(out, "cases.json"), `${JSON.stringify({ bases, cases }, null, 1)}\n`);
const packed = zlib.brotliCompressSync(Buffer.concat(blobs), {
  params: {
    [zlib.constants.BROTLI_PARAM_LGWIN]: 24,
    [zlib.constants.BROTLI_PARAM_QUALITY]: 11,
    [zlib.constants.BROTLI_PARAM_SIZE_HINT]: length,
  },
});
fs.writeFileSync(path.join(out, "blobs.br"), packed);
console.log(`${cases.length} cases, ${blobs.length} blobs, ${length} bytes in ${packed.length}`);
