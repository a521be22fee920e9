import type { Selectable } from "kysely";
import { Type } from "typebox";
import type { Db } from "../../platform/db/connect.ts";
import type { Tags } from "../../platform/db/tables.ts";
import { anyText } from "../../platform/db/values.ts";
import { invalid } from "../../platform/errors.ts";
import { enqueue } from "../../platform/jobs/queue.ts";
import { givenOf, recordType } from "../records/driver.ts";
import { inPages } from "../records/pages.ts";
import { quote } from "../../platform/text/quote.ts";
import { parseTagList } from "../../platform/text/tags.ts";
import { Id, OptionalText, Text } from "../records/schema.ts";
import { checkedName, COLOUR } from "./editing.ts";
import * as queries from "./queries.ts";

const Colour = Type.Optional(Type.String({ pattern: COLOUR.source, "x-rule": "a colour such as #f7df1e" }));

const TagRecord = Type.Object({
  name: Text,
  id: Id,
  bg_color_hex: Colour,
  text_color_hex: Colour,
  short_summary: Type.Optional(Type.String({ maxLength: 2_000 })),
  alias_for: OptionalText,
});

export const tagRecords = recordType({
  type: "tag",
  schema: TagRecord,
  keyOf: ({ name }) => spell(name),
  table: "tags",
  links: ({ name, alias_for }) => ({ names: [spell(name)], to: alias_for && spell(alias_for) }),
  lookUp: async (tx, records) => {
    const names = records.flatMap(({ fields: { name, alias_for = name } }) => [name, alias_for].map(spell));
    const rows = await tx.selectFrom("tags").selectAll().where("name", "=", anyText(names)).execute();
    return new Map(rows.map((row) => [row.name, row]));
  },
  key: ({ fields }) => ({ name: checkedName(fields.name) }),
  columns: ({ fields, known, existing }) =>
    givenOf(fields, {
      bg_color_hex: String,
      text_color_hex: String,
      short_summary: (text) => text.trim() || null,
      alias_for: (alias) => preferredId(alias, known, existing?.id),
    }),
  after: async (tx, { changed }) => {
    for (const { before, change } of changed) {
      if (change.alias_for === undefined || change.alias_for === null) continue;
      await queries.followOn(tx, before.id, change.alias_for);
      await enqueue(tx, "refresh-articles", { alias: before.name });
    }
  },
  read,
});

/** Never an alias itself, so one step is enough. */
function preferredId(alias: string, known: Map<string, Selectable<Tags>>, ownId: number | undefined): number {
  const target = known.get(spell(alias));
  if (!target) throw invalid(`alias_for ${quote(alias)} is not a tag of the site or of an earlier line`);
  const id = target.alias_for ?? target.id;
  if (id === ownId) throw invalid("alias_for must name another tag");
  return id;
}

function spell(name: string): string {
  return parseTagList(name)[0] ?? "";
}

const PAGE = 1_000;

/** Aliases come after their tags. */
async function* read(db: Db): AsyncGenerator<object> {
  for (const isAlias of [false, true]) {
    for await (const rows of inPages((after) => page(db, isAlias, after))) yield* rows;
  }
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
