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
    return tableFromIPC(Uint8Array.from(atob(text), (c) => c.charCodeAt(0))).schema;
  } catch {
    return null;
  }
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
