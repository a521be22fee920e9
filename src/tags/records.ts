import type { Selectable } from "kysely";
import { type Static, Type } from "typebox";
import type { Db } from "../db/connect.ts";
import type { Tags } from "../db/tables.ts";
import { anyText } from "../db/values.ts";
import { AppError, invalid } from "../errors.ts";
import { enqueue } from "../jobs/queue.ts";
import { inPages } from "../records/pages.ts";
import type { Entry, ImportContext, RecordType, Tally } from "../records/record-type.ts";
import { parseTagList } from "../text/tags.ts";
import { MAX_RECORD_ID, reserveIds } from "../records/identity.ts";
import { differs, given, withoutNull } from "../records/columns.ts";
import { checkedName, COLOUR } from "./editing.ts";
import * as queries from "./queries.ts";

const Colour = Type.Optional(
  Type.String({ pattern: COLOUR.source, description: "a colour such as #f7df1e" }),
);

/** A tag in a community file. */
const TagRecord = Type.Object({
  name: Type.String(),
  id: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_RECORD_ID })),
  bg_color_hex: Colour,
  text_color_hex: Colour,
  short_summary: Type.Optional(Type.String({ maxLength: 2_000 })),
  alias_for: Type.Optional(Type.String()),
});
type TagRecord = Static<typeof TagRecord>;

/** Tags of the community file. */
export const tagRecords: RecordType<TagRecord> = {
  type: "tag",
  schema: TagRecord,
  keyOf: ({ name }) => spell(name),
  write,
  read,
};

/** Tags by name, with those that earlier records of the batch made. */
type Known = Map<string, Selectable<Tags>>;

async function write(tx: Db, batch: Entry<TagRecord>[], context: ImportContext): Promise<Tally> {
  const known = await lookUp(tx, batch);
  const wanted = batch.map(({ fields }) => (known.has(spell(fields.name)) ? undefined : fields.id));
  const ids = await reserveIds(tx, "tags", wanted);
  const tally: Tally = { created: 0, updated: 0, unchanged: 0 };
  for (const [index, entry] of batch.entries()) {
    try {
      tally[await writeOne(tx, entry.fields, { known, id: ids[index], context })] += 1;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      context.reject(entry, error.message);
    }
  }
  return tally;
}

async function lookUp(tx: Db, batch: Entry<TagRecord>[]): Promise<Known> {
  const names = batch.flatMap(({ fields }) => [fields.name, fields.alias_for ?? fields.name]).map(spell);
  const rows = await tx.selectFrom("tags").selectAll().where("name", "=", anyText(names)).execute();
  return new Map(rows.map((row) => [row.name, row]));
}

interface Surroundings {
  known: Known;
  id: number | undefined;
  context: ImportContext;
}

async function writeOne(
  tx: Db,
  fields: TagRecord,
  { known, id, context }: Surroundings,
): Promise<keyof Tally> {
  const name = checkedName(fields.name);
  const columns = {
    ...given("bg_color_hex", fields.bg_color_hex, String),
    ...given("text_color_hex", fields.text_color_hex, String),
    ...given("short_summary", fields.short_summary, (text) => text.trim() || null),
    ...given("alias_for", fields.alias_for, (alias) => preferredId(alias, { name, known })),
  };
  const existing = known.get(name);
  if (!existing) {
    const row = await tx
      .insertInto("tags")
      .values({ ...columns, name, ...(id !== undefined && { id }) })
      .returningAll()
      .executeTakeFirstOrThrow();
    known.set(name, row);
    context.created?.("tag", row.id);
    return "created";
  }
  if (!differs(existing, columns)) return "unchanged";
  await tx.updateTable("tags").set(columns).where("id", "=", existing.id).execute();
  known.set(name, { ...existing, ...columns });
  if (columns.alias_for !== undefined && columns.alias_for !== existing.alias_for) {
    await queries.followOn(tx, existing.id, columns.alias_for);
    await enqueue(tx, "refresh-articles", { alias: name });
  }
  return "updated";
}

/** What an alias stands for: never an alias itself, so that following one step is enough. */
function preferredId(alias: string, { name, known }: { name: string; known: Known }): number {
  const target = known.get(spell(alias));
  if (!target)
    throw invalid(`alias_for ${JSON.stringify(alias)} is not a tag of the site or of an earlier line`);
  const id = target.alias_for ?? target.id;
  if (id === known.get(name)?.id) throw invalid("alias_for must name another tag");
  return id;
}

function spell(name: string): string {
  return parseTagList(name)[0] ?? "";
}

const PAGE = 1_000;

/** Aliases come after what they stand for. */
async function* read(db: Db): AsyncGenerator<TagRecord> {
  for (const isAlias of [false, true]) yield* readAll(db, isAlias);
}

async function* readAll(db: Db, isAlias: boolean): AsyncGenerator<TagRecord> {
  for await (const rows of inPages((after) => page(db, isAlias, after))) yield* rows.map(withoutNull);
}

function page(db: Db, isAlias: boolean, after: number) {
  return db
    .selectFrom("tags")
    .leftJoin("tags as preferred", "preferred.id", "tags.alias_for")
    .select(["tags.name", "tags.id", "tags.bg_color_hex", "tags.text_color_hex", "tags.short_summary"])
    .select("preferred.name as alias_for")
    .where("tags.alias_for", isAlias ? "is not" : "is", null)
    .where("tags.id", ">", after)
    .orderBy("tags.id")
    .limit(PAGE)
    .execute();
}
