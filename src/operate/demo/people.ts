import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { type Outcome, ok, warn } from "../health/finding.ts";
import * as demoKeys from "./key.ts";
import { count } from "../../platform/text/sentences.ts";

/** Checks for the demo: readers of a real site would take its users and articles for real. */
export async function checkDemo(db: Db): Promise<Outcome> {
  const { rows } = await sql<{ users: number; articles: number }>`
    select
      count(*) filter (where kind = 'user')::int as users,
      (select count(*)::int from articles join demo_rows on kind = 'user' and row_id = author_id) as articles
    from demo_rows`.execute(db);
  const { users = 0, articles = 0 } = rows[0] ?? {};
  if (users === 0) return ok("None of its users and articles are here.");
  const isOpen = (await demoKeys.ownersOf(db)).length > 0;
  const key = isOpen ? ", and its admin's printed API key is valid" : "";
  return warn(
    `${count(users, "user")} and ${count(articles, "article")} of the demo are here${key}: on a real site, run \`inkstone demo --remove\`.`,
  );
}

/** An operator makes an admin by `user create` or `user role`; the demo and imports bring others. */
export async function checkAdmins(db: Db): Promise<Outcome> {
  const { rows } = await sql<{ username: string; origin: string; isDemo: boolean }>`
    select username, origin, row_id is not null as "isDemo"
    from users left join demo_rows on demo_rows.kind = 'user' and row_id = users.id
    where role = 'admin' and not suspended order by users.id`.execute(db);
  if (rows.length === 0) return ok("There are none yet: open the link that `inkstone setup-link` prints.");
  const brought = rows.filter(({ origin }) => origin === "import");
  if (brought.length === 0)
    return ok(`Made by the operator: ${rows.map(({ username }) => username).join(", ")}.`);
  const names = brought.map(({ username, isDemo }) => `${username} (${isDemo ? "the demo" : "an import"})`);
  const first = brought[0]?.username;
  return warn(
    `Not made by the operator, but brought in: ${names.join(", ")}. Confirm each with \`inkstone user role ${first} admin\`, or take the role away with \`inkstone user role ${first} member\`.`,
  );
}
