import { sql, type Updateable } from "kysely";
import type { Db } from "../db/connect.ts";
import { prepare } from "../db/prepared.ts";
import type { Tags } from "../db/tables.ts";
import { anyText } from "../db/values.ts";

/** Tags that are no other tag's alias, the most used first. */
export function list(db: Db, { limit, offset }: { limit: number; offset: number }) {
  return db
    .selectFrom("tags")
    .select(["id", "name", "bg_color_hex", "text_color_hex"])
    .where("alias_for", "is", null)
    .orderBy("articles_count", "desc")
    .orderBy("name")
    .limit(limit)
    .offset(offset)
    .execute();
}

const byNameStatement = prepare<{ names: readonly string[] }, { asked: string; id: number; name: string }>(
  (value) => sql`
    select asked.name as asked, tags.id, tags.name
    from tags as asked join tags on tags.id = coalesce(asked.alias_for, asked.id)
    where asked.name = any(${value("names")}::text[])`,
);

/** The tags that go by these names, each as the one that it is an alias of, if it is. */
export function findByName(db: Db, names: readonly string[]) {
  return byNameStatement(db, { names });
}

/** How many tags there are that are no other tag's alias. */
export async function count(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom("tags")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("alias_for", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The tags of these names, each with the name of the one that it is an alias of; held until the transaction ends. */
export function lockByName(tx: Db, names: readonly string[]) {
  return tx
    .selectFrom("tags")
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom("tags as preferred")
        .select("preferred.name")
        .whereRef("preferred.id", "=", "tags.alias_for")
        .as("preferred"),
    )
    .where("name", "=", anyText(names))
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
}

export async function update(tx: Db, id: number, change: Updateable<Tags>): Promise<void> {
  await tx.updateTable("tags").set(change).where("id", "=", id).execute();
}

/** Tags that stood for this one stand for its preferred tag from now on. */
export async function followOn(tx: Db, id: number, preferredId: number): Promise<void> {
  await tx.updateTable("tags").set({ alias_for: preferredId }).where("alias_for", "=", id).execute();
}

/** Creates tags; those that somebody else creates at the same moment are waited for. */
export async function insertMissing(tx: Db, names: readonly string[]): Promise<void> {
  const rows = [...new Set(names)].toSorted().map((name) => ({ name }));
  await tx
    .insertInto("tags")
    .values(rows)
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}
