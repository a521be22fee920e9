import type { FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import type { Answer } from "../http/answers.ts";
import { cutCounted } from "../http/pages.ts";
import * as queries from "./queries.ts";
import * as view from "./view.ts";

interface Asked {
  request: FastifyRequest;
  page: number;
  per_page: number;
  category?: string | undefined;
  organizationId?: number;
}

/** A page of the listings that readers see. @throws AppError invalid for one too deep to count off */
export async function listOf(
  context: Context,
  { category, organizationId, ...asked }: Asked,
): Promise<Answer> {
  const { config, db, now } = context;
  const categoryId = category === undefined ? undefined : await queries.findCategory(db.replica, category);
  if (category !== undefined && categoryId === undefined) return { body: "[]" };
  const filter = { categoryId, organizationId, now: now() };
  const { rows, headers } = await cutCounted({ ...asked, baseUrl: config.baseUrl }, (part) =>
    queries.list(db.replica, filter, part),
  );
  return { body: JSON.stringify(rows.map((row) => view.listing(row, config.baseUrl))), headers };
}

export { categories, findBySlug, list as shown, search } from "./queries.ts";
