import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { toIso } from "../../community/records/driver.ts";
import type { Db } from "../../platform/db/connect.ts";
import type { ExportOptions, RecordType } from "../../community/records/record-type.ts";
import type { Fields } from "./parse.ts";
import { chooseTypes } from "./types.ts";

export interface WriteOptions extends Partial<ExportOptions> {
  only?: readonly string[];
  onProgress?: (records: number) => void;
}

const CHUNK_CHARACTERS = 64 * 1024;
const PROGRESS_RECORDS = 100;

/** Writes one snapshot of the site and returns the number of records. The sink stays open. */
export async function exportFile(db: Db, sink: Writable, options: WriteOptions = {}): Promise<number> {
  const types = [...chooseTypes(options.only).values()];
  let records = 0;
  const snapshot = db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  await snapshot.execute(async (tx) => {
    const lines = writeLines(tx, types, {
      withSecrets: options.withSecrets ?? false,
      onRecord: () => {
        records += 1;
        if (records % PROGRESS_RECORDS === 0) options.onProgress?.(records);
      },
    });
    await pipeline(Readable.from(lines, { objectMode: false }), sink, { end: false });
  });
  return records;
}

async function* writeLines(
  tx: Db,
  types: RecordType[],
  { onRecord, ...options }: ExportOptions & { onRecord: () => void },
): AsyncGenerator<string> {
  let chunk = "";
  for (const type of types) {
    for await (const row of type.read(tx, options)) {
      onRecord();
      chunk += `${JSON.stringify(canonical(type, row))}\n`;
      if (chunk.length < CHUNK_CHARACTERS) continue;
      yield chunk;
      chunk = "";
    }
  }
  if (chunk !== "") yield chunk;
}

/** Keys in the order of the schema, without nulls and defaults, so that equal sites give equal files. */
export function canonical({ type, schema }: RecordType, row: object): Fields & { type: string } {
  const record: Fields & { type: string } = { type };
  for (const [key, shape] of Object.entries<{ default?: unknown }>(schema.properties)) {
    const value: unknown = Reflect.get(row, key);
    if (value === undefined || value === null || value === shape.default) continue;
    record[key] = value instanceof Date ? toIso(value) : value;
  }
  return record;
}
