import { type Static, Type } from "typebox";
import { BACKUPS, isName } from "../../platform/files/files.ts";

/** Grows when a program that reads the older form would misread the newer one. */
export const FORMAT = 1;

/** The first entry of the tar. */
export const MANIFEST = "inkstone-backup.json";

/** The last entry: a file without it is no backup. */
export const CHECKSUMS = "checksums.json";
const TABLES = "tables/";
const FILES = "files/";

/**
 * A table is one stream of PostgreSQL's `COPY` as text, cut anywhere into parts, each of which is a gzip file: a tar
 * names the size of an entry before its content, and a part fits into memory. Parts count from 1 and follow each
 * other; an empty table has one.
 */
export const tableEntry = (table: string, part: number): string =>
  `${TABLES}${table}.${String(part).padStart(4, "0")}.gz`;

const TABLE_ENTRY = /^tables\/([a-z_]+\.[a-z_0-9]+)\.(\d{4,})\.gz$/;

export function readTableEntry(entry: string): { table: string; part: number } | undefined {
  const [, table, part] = TABLE_ENTRY.exec(entry) ?? [];
  return table === undefined ? undefined : { table, part: Number(part) };
}

export const fileEntry = (name: string): string => FILES + name;

/** The name in the file store; undefined for another entry, and for what is no file of a site. */
export function readFileEntry(entry: string): string | undefined {
  const name = entry.startsWith(FILES) ? entry.slice(FILES.length) : "";
  return isName(name) && !name.startsWith(BACKUPS) ? name : undefined;
}

const Name = Type.String({ pattern: "^[a-z_][a-z_0-9]{0,62}$" });

const TableOfBackup = Type.Object({
  schema: Name,
  name: Name,
  /** Those of the lines of `COPY`, in their order. */
  columns: Type.Array(Name, { minItems: 1 }),
});

const SequenceOfBackup = Type.Object({
  schema: Name,
  name: Name,
  /** What `setval` takes; a text, because it may be greater than numbers of JSON. */
  lastValue: Type.String({ pattern: "^-?[0-9]{1,19}$" }),
  isCalled: Type.Boolean(),
});

const Migration = Type.Object({
  name: Type.String({ pattern: "^[0-9a-z.-]{1,100}$" }),
  checksum: Type.String(),
  kind: Type.String(),
});

export const Manifest = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  program: Type.String({ pattern: "^[0-9A-Za-z.+-]{1,40}$" }),
  postgresql: Type.String({ pattern: "^[!-~ ]{1,100}$" }),
  takenAt: Type.String({ format: "date-time" }),
  /** Bodies hold absolute links to it. */
  baseUrl: Type.String({ pattern: "^https?://[!-~]{1,300}$" }),
  migrations: Type.Array(Migration),
  queueMigration: Type.Integer(),
  tables: Type.Array(TableOfBackup),
  sequences: Type.Array(SequenceOfBackup),
  hasFiles: Type.Boolean(),
});
export type Manifest = Static<typeof Manifest>;

export const Checksums = Type.Object({
  entries: Type.Array(
    Type.Object({
      name: Type.String(),
      /** The size of the entry: a table's is that of the compressed part. */
      bytes: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    }),
  ),
  rows: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  missing: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type Checksums = Static<typeof Checksums>;

export type TableOfBackup = Static<typeof TableOfBackup>;
export type SequenceOfBackup = Static<typeof SequenceOfBackup>;

export const tableName = ({ schema, name }: { schema: string; name: string }): string => `${schema}.${name}`;
