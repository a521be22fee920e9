import type { MailServer } from "../platform/config/mail.ts";

export interface Message {
  id: string;
  to: string;
  from: MailServer["from"];
  subject: string;
  text: string;
  html: string;
  /** The address at which mail programs turn off its kind. */
  leave?: string | undefined;
}

/** `refused`: the server never takes it. `unavailable`: it takes no email at present. */
export interface Outcome {
  result: "sent" | "refused" | "failed" | "unavailable";
  reply: string;
}

export type Transport = ReturnType<typeof createTransport>;

const CONNECT_MS = 10_000;
const MAIL_MS = 30_000;
const REPLY_CHARACTERS = 500;

const isThisComputer = (host: string) => /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);

/** Sends emails one after the other on one connection, which stays open until `close`. */
export function createTransport(server: MailServer, { baseUrl, mailMs = MAIL_MS }: Options) {
  const { hostname } = new URL(baseUrl);
  let opening: ReturnType<typeof open> | undefined;

  return {
    /** Never fails. `signal` ends it early. */
    async send({ id, leave, ...mail }: Message, signal?: AbortSignal): Promise<Outcome> {
      const limits = [AbortSignal.timeout(mailMs), ...(signal ? [signal] : [])];
      try {
        const pool = await (opening ??= open(server, hostname));
        const { response } = await pool.sendMail({
          ...mail,
          to: { name: "", address: mail.to },
          messageId: `<${id}@${hostname}>`,
          headers: { "Auto-Submitted": "auto-generated", ...(leave && leaveHeaders(leave)) },
          signal: AbortSignal.any(limits),
        });
        return { result: "sent", reply: readable(response, server) };
      } catch (error) {
        return failureOf(error as Failure, server);
      }
    },
    async close(): Promise<void> {
      (await opening?.catch(() => undefined))?.close();
    },
  };
}

interface Options {
  baseUrl: string;
  mailMs?: number;
}

/** RFC 8058: mail programs send a POST there. */
const leaveHeaders = (leave: string) => ({
  "List-Unsubscribe": `<${leave}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

async function open({ host, port, isSecure, login }: MailServer, name: string) {
  // It takes a tenth of a second, and many sites send no email.
  const { createTransport } = await import("nodemailer");
  const isOwn = isThisComputer(host);
  return createTransport({
    pool: true,
    maxConnections: 1,
    // A server may have closed the connection since the last email.
    maxRequeues: 1,
    host,
    port,
    secure: isSecure,
    // STARTTLS is used wherever it is offered; a password goes nowhere without it.
    requireTLS: login !== undefined && !isOwn,
    // A server on this computer has seldom a certificate for its name.
    tls: { rejectUnauthorized: !isOwn },
    ...(login && { auth: { user: login.user, pass: login.password } }),
    name,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: MAIL_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

interface Failure extends Error {
  code?: string;
  response?: string;
  responseCode?: number;
}

function failureOf(
  { code = "", response, responseCode = 500, message }: Failure,
  server: MailServer,
): Outcome {
  // A 5xx to the login or the connection is about the site's settings, which can be corrected. 503: "bad sequence".
  const isAboutMail = code === "EENVELOPE" || code === "EMESSAGE";
  const isFinal = responseCode >= 500 && responseCode !== 503;
  const reason =
    code === "EABORT" ? `It took more than ${MAIL_MS / 1_000} seconds, or was stopped.` : message;
  const reply = readable((isAboutMail && response) || reason, server);
  if (!isAboutMail) return { result: "unavailable", reply };
  return { result: isFinal ? "refused" : "failed", reply };
}

/** One short line, without the password that a server may repeat. */
function readable(reply: string, { login }: MailServer): string {
  const { user = "", password = "" } = login ?? {};
  const encoded = [`\0${user}\0${password}`, password].map((text) => Buffer.from(text).toString("base64"));
  const secrets = password === "" ? [] : [...encoded, password];
  const line = secrets.reduce((text, secret) => text.replaceAll(secret, "…"), reply);
  return line
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, REPLY_CHARACTERS)
    .toWellFormed();
}
