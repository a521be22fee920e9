import { Readable } from "node:stream";
import { afterAll } from "vitest";
import { importFile, type ImportOptions, type Summary } from "../src/community-file/import.ts";
import { createRenderPool } from "../src/text/render-pool.ts";
import type { OwnDatabase } from "./own-database.ts";

/** When the imports of these tests happen. */
export const NOW = new Date("2026-03-02T09:15:00Z");

/** Texts and bytes stand in the file as they are. */
export type Line = object | string | Buffer;

export function bytesOf(lines: Line[]): Buffer {
  const parts = lines.map((line) =>
    Buffer.isBuffer(line) ? line : Buffer.from(typeof line === "string" ? line : JSON.stringify(line)),
  );
  return Buffer.concat(parts.flatMap((part) => [part, Buffer.from("\n")]));
}

export const user = (username: string, more: object = {}) => ({
  type: "user",
  username,
  name: username,
  ...more,
});

/** A published article by lena. */
export const article = (slug: string, more: object = {}) => ({
  type: "article",
  slug,
  author: "lena",
  title: slug,
  body_markdown: `# ${slug}`,
  published_at: "2026-01-02T03:04:05Z",
  ...more,
});

/** Imports into this database and looks at what came of it. */
export function importsInto(database: OwnDatabase) {
  const renderPool = createRenderPool();
  afterAll(() => renderPool.close());

  const loadFrom = (
    source: AsyncIterable<Buffer | string>,
    options: Partial<ImportOptions> = {},
  ): Promise<Summary> => importFile(database.db, source, { renderPool, now: NOW, ...options });

  return {
    loadFrom,
    load: (lines: Line[], options?: Partial<ImportOptions>) =>
      loadFrom(Readable.from([bytesOf(lines)]), options),
    storedUser: (username: string) =>
      database.db.selectFrom("users").selectAll().where("username", "=", username).executeTakeFirstOrThrow(),
    countUsers: async () => (await database.db.selectFrom("users").select("id").execute()).length,
  };
}
