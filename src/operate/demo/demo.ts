import { Readable } from "node:stream";
import { sql } from "kysely";
import * as views from "../../community/analytics/counting.ts";
import * as articleRemoval from "../../community/articles/removal.ts";
import * as comments from "../../community/comments/comments.ts";
import { importFile, type ImportOptions } from "../community-file/import.ts";
import type { Db } from "../../platform/db/connect.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { anyText } from "../../platform/db/values.ts";
import { invalid } from "../../platform/errors.ts";
import * as organizations from "../../community/organizations/organizations.ts";
import * as podcasts from "../../community/podcasts/podcasts.ts";
import * as reactions from "../../community/reactions/reactions.ts";
import * as tags from "../../community/tags/tags.ts";
import * as users from "../../community/users/users.ts";
import * as webhooks from "../../community/webhooks/queue.ts";
import { type Fields, readDemo, type DemoOptions } from "./content.ts";

export type DemoTally = Awaited<ReturnType<typeof remove>>;

/** The date of the demo's settings, until an operator sets them. */
const UNTOUCHED = new Date(0);

/** Undefined when it is already loaded. @throws AppError invalid when one of its names is taken */
export async function load(
  db: Db,
  { renderPool, onProgress, ...surroundings }: DemoOptions & Pick<ImportOptions, "renderPool" | "onProgress">,
): Promise<DemoTally | undefined> {
  const { now } = surroundings;
  const demo = await readDemo(surroundings);
  return inTransaction(db, async (tx) => {
    if ((await rowsOf(tx)).length > 0) return undefined;
    await refuseConflicts(tx, demo);
    const created: { kind: string; row_id: number }[] = [];
    const lines = (await withoutKnown(tx, demo)).map((record) => `${JSON.stringify(record)}\n`);
    await importFile(tx, Readable.from(lines), {
      now,
      renderPool,
      ...(onProgress && { onProgress }),
      created: (kind, row_id) => created.push({ kind, row_id }),
    });
    await tx.updateTable("settings").set({ updated_at: UNTOUCHED }).where("updated_at", "=", now).execute();
    await recordPings(tx, demo, surroundings);
    const of = (...kinds: string[]) => created.filter(({ kind }) => kinds.includes(kind));
    const rows = of("user", "organization", "tag", "podcast");
    await tx.insertInto("demo_rows").values(rows).execute();
    return {
      users: of("user").length,
      organizations: of("organization").length,
      tags: of("tag").length,
      articles: of("article").length,
    };
  });
}

/** Records a delivery for each endpoint of the demo, which an import can't bring. */
async function recordPings(tx: Db, demo: readonly Fields[], around: DemoOptions): Promise<void> {
  const owners = demo.flatMap(({ type, user }) => (type === "webhook_endpoint" ? [String(user)] : []));
  for (const userId of (await users.idsByUsername(tx, owners)).values())
    await webhooks.recordPings(tx, { userId, ...around });
}

export function remove(db: Db, now: Date) {
  return inTransaction(db, async (tx) => {
    const rows = await rowsOf(tx);
    const idsOf = (wanted: string) => rows.flatMap(({ kind, row_id }) => (kind === wanted ? [row_id] : []));
    const people = idsOf("user");
    await reactions.removeByUsers(tx, people, now);
    await comments.removeByAuthors(tx, people);
    await podcasts.removeAll(tx, idsOf("podcast"));
    await views.forgetPeople(tx, people);
    const tally = {
      articles: people.length === 0 ? 0 : (await articleRemoval.removeByAuthors(tx, people)).length,
      users: await users.removeAll(tx, people),
      organizations: await organizations.removeAll(tx, idsOf("organization")),
      tags: await tags.removeUnused(tx, idsOf("tag")),
    };
    await tx.deleteFrom("settings").where("updated_at", "=", UNTOUCHED).execute();
    await tx.deleteFrom("demo_rows").execute();
    return tally;
  });
}

const rowsOf = (tx: Db) => tx.selectFrom("demo_rows").select(["kind", "row_id"]).execute();

async function refuseConflicts(tx: Db, demo: readonly Fields[]): Promise<void> {
  const namesOf = (...types: string[]) =>
    demo.flatMap(({ type, username, slug }) => (types.includes(type) ? [String(username ?? slug)] : []));
  const { rows } = await sql<{ what: string }>`
    select 'username ' || username as what from handles
    where username = ${anyText(namesOf("user", "organization", "podcast"))}
    union all select 'article ' || slug from articles where slug = ${anyText(namesOf("article"))}
    limit 1`.execute(tx);
  if (rows[0] === undefined) return;
  throw invalid(
    `The demo can't be loaded: the site has the ${rows[0].what} already, and it isn't the demo's. Use an empty site.`,
  );
}

/** Leaves out tags that the site has, and the settings if it has people or settings of its own. */
async function withoutKnown(tx: Db, demo: readonly Fields[]): Promise<Fields[]> {
  const names = demo.flatMap(({ type, name }) => (type === "tag" ? [String(name)] : []));
  const known = await tags.idsByName(tx, names);
  const own =
    (await tx.selectFrom("settings").select("key").limit(1).executeTakeFirst()) ??
    (await tx.selectFrom("users").select("id").limit(1).executeTakeFirst());
  return demo.filter(({ type, name }) =>
    type === "tag" ? !known.has(String(name)) : type !== "setting" || own === undefined,
  );
}
