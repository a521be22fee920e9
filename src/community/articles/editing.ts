import { hash } from "node:crypto";
import type { User } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { AppError } from "../../platform/errors.ts";
import { type FrontMatter, parseFrontMatter } from "../../content/text/front-matter.ts";
import { mayEdit } from "./articles.ts";
import * as queries from "./queries.ts";
import { findByPath } from "./reading.ts";
import * as series from "./series.ts";

export type Editable = queries.FullRow & { series: string | null };

interface Wanted {
  path?: string;
  /** That of an article that has left the path. */
  id?: number | undefined;
}

/** The article that its author or an admin edits, by its path; undefined for others. */
export async function find(db: Db, user: User, { path = "", id }: Wanted): Promise<Editable | undefined> {
  const row = (await findByPath(db, path)) ?? (id && (await queries.findById(db, id)));
  if (!row || !mayEdit(user, row)) return undefined;
  const { collection_id } = row;
  return { ...row, series: collection_id === null ? null : await series.nameOf(db, collection_id) };
}

/** The version of all that an editor shows of an article, and nothing else: no count changes it. */
export function versionOf(row: queries.FullRow): string {
  const { title, body_markdown, tag_list, main_image, canonical_url } = row;
  const { collection_id, organization_id, published_at } = row;
  const texts = [title, body_markdown, ownDescription(row), tag_list, main_image, canonical_url];
  return hash("sha256", JSON.stringify([texts, collection_id, organization_id, published_at]), "base64url");
}

/** The description that its author wrote; empty for one that is made from the text. */
export const ownDescription = ({ description, excerpt }: Pick<queries.FullRow, "description" | "excerpt">) =>
  excerpt === null ? description : "";

/** The attributes in the front matter of a text; none if it can't be read. */
export function frontMatterOf(markdown: string): FrontMatter {
  try {
    return parseFrontMatter(markdown).attributes;
  } catch (error) {
    if (error instanceof AppError) return {};
    throw error;
  }
}
