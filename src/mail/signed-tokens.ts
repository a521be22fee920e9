import { createHmac, timingSafeEqual } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "../platform/db/connect.ts";
import { isToken } from "../platform/tokens.ts";
import type { Kind } from "./kinds.ts";

/** The purpose of a link; its token opens nothing else. */
export type Purpose =
  | "set up"
  | "sign in"
  | "sign up"
  | "confirm address"
  | "invitation"
  | `unsubscribe ${Kind}`;

interface Link {
  purpose: Purpose;
  /** The row that the link is about; 0 for none. */
  id?: number;
  /** Changes when the link is used or ended. */
  state?: string | undefined;
  /** Undefined where the row says when the link ends. */
  end?: Date | undefined;
}

/* A token is as long as those of sessions: 4 bytes of the id, 6 of the end in milliseconds, 22 of the signature. */

const HEAD_BYTES = 10;
const SIGNATURE_BYTES = 22;
const NEVER = 2 ** 48 - 1;

export async function signToken(db: Db, { purpose, id = 0, state = "", end }: Link): Promise<string> {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeInt32BE(id);
  head.writeUIntBE(end?.getTime() ?? NEVER, 4, 6);
  return Buffer.concat([head, await signatureOf(db, { purpose, state, head })]).toString("base64url");
}

/** The row that a token is about, if the token was signed for this purpose, and the state of the row is the same. */
export async function openToken<Row extends { state: string }>(
  db: Db,
  { token, purpose, now }: { token: string; purpose: Purpose; now: Date },
  find: (id: number) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  if (!isToken(token)) return undefined;
  const bytes = Buffer.from(token, "base64url");
  if (bytes.readUIntBE(4, 6) <= now.getTime()) return undefined;
  const row = await find(bytes.readInt32BE());
  if (row === undefined) return undefined;
  const head = bytes.subarray(0, HEAD_BYTES);
  const signature = await signatureOf(db, { purpose, state: row.state, head });
  return timingSafeEqual(signature, bytes.subarray(HEAD_BYTES)) ? row : undefined;
}

async function signatureOf(
  db: Db,
  { purpose, state, head }: { purpose: Purpose; state: string; head: Buffer },
): Promise<Buffer> {
  const { rows } = await sql<{ key: Buffer }>`select key from link_key`.execute(db);
  const [{ key }] = rows as [{ key: Buffer }];
  const signed = createHmac("sha256", key).update(`${purpose}\0${state}\0`).update(head);
  return signed.digest().subarray(0, SIGNATURE_BYTES);
}
