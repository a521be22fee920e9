import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tmpdir } from "node:os";
import type { Site } from "./site.ts";
import { withClient } from "./writer.ts";

const USERS = 20;
const ARTICLES = 1_500;

/** Writes a community file whose records only this round has. */
export function writeFile(round: number): string {
  const file = join(tmpdir(), `inkstone-crash-${process.pid}-${round}.ndjson`);
  const records: object[] = [];
  for (let user = 0; user < USERS; user++)
    records.push({ type: "user", username: `crash${round}u${user}`, name: `Crash ${round} ${user}` });
  for (let article = 0; article < ARTICLES; article++)
    records.push({
      type: "article",
      slug: `crash-${round}-${article}`,
      author: `crash${round}u${article % USERS}`,
      title: `Article ${article} of round ${round}`,
      body_markdown: `Paragraph ${article}. `.repeat(80),
    });
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return file;
}

/** How much of a round's file is in the database; part of it is a failure. */
export async function importedOf(site: Site, round: number): Promise<"all" | "none"> {
  return withClient(site, async (client) => {
    const { rows } = await client.query<{ users: string; articles: string }>(
      `select (select count(*) from users where username ~ $1) as users,
              (select count(*) from articles where slug ~ $2) as articles`,
      [`^crash${round}u[0-9]+$`, `^crash-${round}-[0-9]+$`],
    );
    const [users, articles] = [Number(rows[0]?.users), Number(rows[0]?.articles)];
    if (users === USERS && articles === ARTICLES) return "all";
    if (users === 0 && articles === 0) return "none";
    throw new Error(`a part of the file was imported: ${users} users and ${articles} articles`);
  });
}
