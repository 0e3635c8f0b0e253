/**
 * The Arrow schema that a Parquet file carries beside its own. We read without it (a wrong one makes decoders refuse
 * good pages), but where it contradicts the file something is damaged, and that is said.
 */
import { DataType, type Schema, tableFromIPC } from "apache-arrow";
import type { Warn } from "../format/problems.ts";
import type { SchemaNode } from "./footer.ts";
import { isNullType, isText, listElement } from "./kinds.ts";
import type { ParquetFile } from "./parquetFiles.ts";

export function checkArrowSchema(file: ParquetFile, warn: Warn): void {
  const { arrowSchema, columns } = file.footer;
  if (!arrowSchema) return;
  const schema = decode(arrowSchema);
  if (!schema) {
    if (isNearlyBase64(arrowSchema))
      warn(
        "footer-corrupt",
        file.path,
        "the Arrow schema in its footer is damaged; the rest of the footer is used",
      );
    else
      warn(
        "arrow-schema-ignored",
        file.path,
        "the Arrow schema in its footer cannot be read; the Parquet schema is used",
        { level: "info" },
      );
    return;
  }
  const names = new Set(schema.fields.map((f) => f.name));
  if (names.size !== columns.size || [...columns.keys()].some((n) => !names.has(n)))
    warn(
      "arrow-schema-ignored",
      file.path,
      "the Arrow schema in its footer names other columns; the Parquet schema is used",
      { level: "info" },
    );
  else
    for (const field of schema.fields) {
      const node = columns.get(field.name)?.node;
      if (node && contradicts(field.type, node))
        warn("footer-corrupt", file.path, "its Parquet type contradicts its Arrow type", {
          column: field.name,
        });
    }
}

function decode(base64: Uint8Array): Schema | null {
  try {
    const text = new TextDecoder("latin1").decode(base64);
    const message = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    expectBounded(message);
    return tableFromIPC(message).schema;
  } catch {
    return null;
  }
}

const CONTINUED = 0xffffffff;
/** Places of what is listed, in the tables of Arrow's Schema.fbs. */
const MESSAGE_HEADER = 2;
const SCHEMA_FIELDS = 1;
const SCHEMA_METADATA = 2;
const FIELD_CHILDREN = 5;
const FIELD_METADATA = 6;

/**
 * The decoder believes every count: one flipped bit makes it build fields until the memory is full. What is listed takes four bytes
 * each, so there is no more of it than that.
 * @param message Arrow's schema message, as in a stream
 * @throws RangeError when it lists more than it can hold, or leads out of itself
 */
function expectBounded(message: Uint8Array): void {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  let left = message.length >> 2;
  const target = (at: number): number => at + view.getUint32(at, true);
  const slot = (table: number, index: number): number => {
    const places = table - view.getInt32(table, true);
    const at = 4 + 2 * index;
    const offset = at < view.getUint16(places, true) ? view.getUint16(places + at, true) : 0;
    return offset === 0 ? 0 : table + offset;
  };
  const items = (table: number, index: number): number[] => {
    const at = slot(table, index);
    if (at === 0) return [];
    const list = target(at);
    const count = view.getUint32(list, true);
    left -= count;
    if (left < 0) throw new RangeError("more is listed than there is room for");
    return Array.from({ length: count }, (_, i) => target(list + 4 + 4 * i));
  };
  const field = (table: number): void => {
    items(table, FIELD_METADATA);
    for (const child of items(table, FIELD_CHILDREN)) field(child);
  };
  const root = target(view.getUint32(0, true) === CONTINUED ? 8 : 4);
  const schema = target(slot(root, MESSAGE_HEADER));
  items(schema, SCHEMA_METADATA);
  for (const child of items(schema, SCHEMA_FIELDS)) field(child);
}

/** All but a few bytes: damage. Otherwise it never was one. */
function isNearlyBase64(bytes: Uint8Array): boolean {
  const text = new TextDecoder("latin1").decode(bytes);
  return text.replace(/[A-Za-z0-9+/=]/g, "").length * 100 < text.length;
}

/** A number here, bytes there. */
function contradicts(type: DataType, node: SchemaNode): boolean {
  if (isNullType(node) || DataType.isNull(type) || listElement(node)) return false;
  const isNumber = DataType.isFloat(type) || DataType.isInt(type);
  return isNumber && isText(node);
}
