import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { commandsWith, urlOf } from "./commands.ts";
import { databaseForAll } from "./own-database.ts";

export type Fields = Record<string, unknown>;

export interface Report {
  created: number;
  updated: number;
  unchanged: number;
  left_out: { type: string; name: string; reason: string }[];
  remarks: { text: string; count: number }[];
  pictures: { made: number };
}

/** One site for all tests of a file, and the commands that import into it. */
export function foreignImports(more: Record<string, string> = {}) {
  const database = databaseForAll();
  let folder: string;
  let serial = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "inkstone-import-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const inkstone = commandsWith(() => ({ DATABASE_URL: urlOf(database.name), DATA_DIR: folder, ...more }));

  async function exported(type: string): Promise<Fields[]> {
    const { out } = await inkstone("export", "-", "--only", type);
    const lines = out.split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line) as Fields);
  }

  return {
    database,
    inkstone,
    exported,
    /** A path in the folder of these tests. */
    path: (name: string) => join(folder, name),
    /** One that no other test uses. */
    newPath: (name: string) => join(folder, `${++serial}-${name}`),
    async file(content: string | Buffer, name = "export.json"): Promise<string> {
      const path = join(folder, `${++serial}-${name}`);
      await writeFile(path, content);
      return path;
    },
    /** Imports files, which succeeds. */
    async load(...files: string[]): Promise<Report> {
      const { code, out, err } = await inkstone("import", ...files, "--json");
      expect({ code, err }).toEqual({ code: 0, err: "" });
      return JSON.parse(out) as Report;
    },
    /** The sentence with which a file is refused. */
    async refusal(path: string, ...options: string[]): Promise<string> {
      const { code, out, err } = await inkstone("import", path, ...options);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      return err.replaceAll(path, "FILE");
    },
    article: async (slug: string) => (await exported("article")).find((record) => record["slug"] === slug),
    user: async (username: string) =>
      (await exported("user")).find((record) => record["username"] === username),
    /** How much there is on the site. */
    async count(): Promise<number> {
      return (await exported("article,user,comment,retired_path")).length;
    },
  };
}

export const ADA = {
  id: "1",
  name: "Ada Byron",
  slug: "ada-byron",
  email: "ada@ghost.example",
  password: "$2a$10$abcdefghijklmnopqrstuv",
  profile_image: "__GHOST_URL__/content/images/2024/01/ada.png",
  bio: "Engines.",
  website: "https://ada.example",
  location: "London",
  status: "active",
  created_at: "2023-01-01T08:00:00.000Z",
};

export const BEN = { ...ADA, id: "2", name: "Ben Ox", slug: "ben", email: "ben@ghost.example", bio: null };

/** A post as Ghost 5 exports it, with these differences. */
export const post = (id: string, more: Fields = {}): Fields => ({
  id,
  uuid: `8f2b7f0e-0000-4000-8000-${id.padStart(12, "0")}`,
  title: `Post ${id}`,
  slug: `post-${id}`,
  mobiledoc: null,
  lexical: '{"root":{"children":[],"type":"root","version":1}}',
  html: `<p>Text ${id}.</p>`,
  comment_id: id,
  plaintext: `Text ${id}.`,
  feature_image: null,
  featured: 0,
  type: "post",
  status: "published",
  locale: null,
  visibility: "public",
  email_recipient_filter: "all",
  created_at: "2024-01-02T10:00:00.000Z",
  updated_at: "2024-02-02T10:00:00.000Z",
  published_at: "2024-01-03T10:00:00.000Z",
  custom_excerpt: null,
  codeinjection_head: null,
  codeinjection_foot: null,
  custom_template: null,
  canonical_url: null,
  ...more,
});

export const tag = (id: string, name: string, more: Fields = {}): Fields => ({
  id,
  name,
  slug: name.toLowerCase(),
  visibility: name.startsWith("#") ? "internal" : "public",
  ...more,
});

interface Tables {
  posts: Fields[];
  users?: Fields[];
  tags?: Fields[];
  /** The ids of tags, by those of posts. */
  tagged?: Record<string, string[]>;
  /** The ids of people, by those of posts; otherwise Ada wrote all. */
  written?: Record<string, string[]>;
  posts_meta?: Fields[];
}

const links = (of: Record<string, string[]>, key: string) =>
  Object.entries(of).flatMap(([post_id, ids]) =>
    ids.map((id, sort_order) => ({ id: `${post_id}-${id}`, post_id, [key]: id, sort_order })),
  );

/** The content of a file, with the tables in the order of Ghost: posts before what they refer to. */
export function ghostExport({
  posts,
  users = [ADA],
  tags = [],
  tagged = {},
  written,
  posts_meta = [],
}: Tables): Fields {
  const authors = written ?? Object.fromEntries(posts.map(({ id }) => [id, [ADA.id]]));
  return {
    db: [
      {
        meta: { exported_on: 1_753_891_082_041, version: "5.130.2" },
        data: {
          benefits: [],
          posts,
          posts_authors: links(authors, "author_id"),
          posts_meta,
          posts_tags: links(tagged, "tag_id"),
          roles: [{ id: "9", name: "Owner" }],
          roles_users: [{ id: "8", role_id: "9", user_id: ADA.id }],
          settings: [{ id: "7", key: "title", value: "Engines" }],
          tags,
          users,
        },
      },
    ],
  };
}
