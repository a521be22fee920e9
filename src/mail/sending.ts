import type { MailServer } from "../platform/config/mail.ts";
import type { Db } from "../platform/db/connect.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type { Metrics } from "../platform/metrics/metrics.ts";
import { UNSUBSCRIBE } from "../platform/paths.ts";
import * as settings from "../platform/settings/settings.ts";
import { createLink, turnedOff } from "./choices.ts";
import { type About, isKind, type Kind, KINDS } from "./kinds.ts";
import * as queue from "./queue.ts";
import { type Letter, line, render } from "./render.tsx";
import { createTransport, type Outcome, type Transport } from "./transport.ts";

export interface LetterRequest<Of extends Kind> {
  userId: number | null;
  username: string;
  address: string | null;
  about: About[Of];
  createdAt: Date;
}

export interface Site {
  community: string;
  /** The address for questions; may be empty. */
  contact: string;
  baseUrl: string;
  now: Date;
}

/** Writes the letter of each kind; undefined for an email that isn't wanted any more. Tokens are made here. */
export type Letters = {
  [Of in Kind]: (db: Db, mail: LetterRequest<Of>, site: Site) => Promise<Letter | undefined>;
};

export interface Sending {
  db: Db;
  server: MailServer | undefined;
  baseUrl: string;
  letters: Letters;
  /** Tells users whom no email reaches. */
  notify: (tx: Db, notice: { userId: number; text: string; now: Date }) => Promise<void>;
  metrics: Pick<Metrics, "noteMail">;
  now: () => Date;
  signal: AbortSignal;
  /** Gets a bug in one email, while the others go on. */
  onFailure: (error: unknown) => void;
  mailMs?: number;
}

const LAST_MS = 5_000;

/** Sends the emails that are due, one after the other, until none is left. Several processes may do so at once. */
export async function sendDue(sending: Sending): Promise<void> {
  const { db, server, now, signal } = sending;
  const transport = server && createTransport(server, sending);
  const stopping = new AbortController();
  const stopSoon = () => void setTimeout(() => stopping.abort(), LAST_MS).unref();
  signal.addEventListener("abort", stopSoon, { once: true });
  try {
    while (!signal.aborted) {
      const mail = await queue.claim(db, now());
      if (mail === undefined) return;
      await handle(mail, { ...sending, transport, signal: stopping.signal });
    }
  } finally {
    signal.removeEventListener("abort", stopSoon);
    await transport?.close();
  }
}

type Handling = Sending & { transport: Transport | undefined };

async function handle(mail: queue.Claimed, handling: Handling): Promise<void> {
  const { db, transport, onFailure } = handling;
  const { kind, user_id: userId, address } = mail;
  // A newer program knows it.
  if (!isKind(kind))
    return record(mail, { result: "failed", reply: "The kind of the email is unknown." }, handling);
  const { isOptional, otherwise } = KINDS[kind];
  const isLeft = isOptional && userId !== null && (await turnedOff(db, userId)).has(kind);
  const isSent = transport !== undefined && address !== null;
  if (isLeft || (!isSent && otherwise === "nothing")) return void (await queue.remove(db, mail));
  if (!isSent && otherwise === "failure") {
    const reply = transport === undefined ? "Mail is not set up." : "The user has no e-mail address.";
    return record(mail, { result: "refused", reply }, handling);
  }
  const outcome = await attempt(mail, kind, handling).catch((error: unknown): Outcome => {
    onFailure(error);
    return { result: "failed", reply: "The email couldn't be written." };
  });
  if (outcome !== undefined) await record(mail, outcome, handling);
}

/** Undefined when the email has become a notification, or isn't wanted. */
async function attempt(mail: queue.Claimed, kind: Kind, handling: Handling): Promise<Outcome | undefined> {
  const { db, transport, server, baseUrl, signal, now } = handling;
  const { user_id: userId, username, about, created_at: createdAt, address } = mail;
  const { community_name: community, contact_email: contact } = await settings.read(db);
  const site = { community, contact, baseUrl, now: now() };
  const write = handling.letters[kind] as Letters["sign_in_link"];
  const letter = await write(db, { userId, username, address, about, createdAt }, site);
  if (letter === undefined) return void (await queue.remove(db, mail));
  if (transport === undefined || server === undefined || address === null) {
    if (userId !== null) await becomeNotification(mail, { userId, text: noticeOf(letter) }, handling);
    return undefined;
  }
  const isLeavable = KINDS[kind].isOptional && userId !== null;
  const leave = isLeavable ? `${UNSUBSCRIBE}/${await createLink(db, { userId, kind }, site.now)}` : undefined;
  const { name, address: from } = server.from;
  const message = {
    id: mail.message_id,
    to: address,
    from: { name: name || site.community, address: from },
    leave: leave && baseUrl + leave,
    ...render(letter, { ...site, leave }),
  };
  return transport.send(message, signal);
}

const noticeOf = ({ body: [first] }: Letter): string => (typeof first === "string" ? line(first) : "");

function becomeNotification(
  mail: queue.Claimed,
  notice: { userId: number; text: string },
  { db, notify, now }: Handling,
): Promise<void> {
  return inTransaction(db, { unseen: true }, async (tx) => {
    if (await queue.remove(tx, mail)) await notify(tx, { ...notice, now: now() });
  });
}

/** Minutes from each attempt to the next. The first is made at once. */
const PAUSES = [1, 5, 30, 120, 300, 720];

async function record(mail: queue.Claimed, { result, reply }: Outcome, { db, now, metrics }: Handling) {
  const at = now();
  const isUnavailable = result === "unavailable";
  // Each would take as long to fail, and lose an attempt.
  if (isUnavailable) await queue.postponeDue(db, at, new Date(at.getTime() + 60_000));
  const pause = isUnavailable || result === "failed" ? PAUSES[mail.attempts - 1] : undefined;
  if (pause !== undefined) {
    metrics.noteMail("postponed");
    await queue.leases.finish(db, mail, { reply, next_attempt_at: new Date(at.getTime() + pause * 60_000) });
    return;
  }
  const state = result === "sent" ? "sent" : "failed";
  metrics.noteMail(state);
  await queue.leases.finish(db, mail, { state, reply, next_attempt_at: null, finished_at: at });
}
