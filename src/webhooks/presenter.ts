import type { FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import type { Db } from "../db/connect.ts";
import { caller } from "../http/auth.ts";
import type { WriteResult } from "../http/mutate.ts";
import * as queries from "./queries.ts";
import type { Webhook } from "./schema.ts";
import * as view from "./view.ts";

/** The endpoint of this number, if it is the caller's. */
export function ownOf(request: FastifyRequest<{ Params: { id: number } }>): queries.Own {
  return { id: request.params.id, userId: caller(request).id };
}

/** An endpoint that is there, as its owner sees it. */
export async function shown(tx: Db, { config }: Context, own: queries.Own): Promise<Webhook> {
  const row = await queries.find(tx, own);
  if (!row) throw new Error("an endpoint that is held is there");
  return view.webhook(row, config.baseUrl);
}

/** The answer that shows it, and its secret if this is the moment; its version is that of what a read shows. */
export async function answerOf(
  tx: Db,
  context: Context,
  own: queries.Own,
  secret: { secret?: string } = {},
): Promise<Pick<WriteResult, "body" | "representation">> {
  const webhook = await shown(tx, context, own);
  return {
    body: JSON.stringify({ ...webhook, ...secret }),
    representation: JSON.stringify(webhook),
  };
}
