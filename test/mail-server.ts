import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { type MailServer, parseMailUrl } from "../src/platform/config/mail.ts";
import { sendMails } from "../src/community/letters/jobs.ts";
import type { Db } from "../src/platform/db/connect.ts";
import type { Letters } from "../src/mail/sending.ts";
import type { World } from "./world.ts";

export interface Received {
  to: string[];
  mail: ParsedMail;
  raw: string;
  /** The number of the connection that brought it. */
  connection: number;
  isEncrypted: boolean;
  user: string | undefined;
}

/** All emails, the oldest first. */
export const mailsIn = (db: Db) =>
  db
    .selectFrom("mails")
    .leftJoin("users", "users.id", "user_id")
    .select(["mails.id", "mails.kind", "username as user", "mails.address", "mails.state", "mails.attempts"])
    .select(["mails.reply", "mails.created_at", "mails.next_attempt_at", "mails.finished_at"])
    .orderBy("mails.id")
    .execute();

export const PASSWORD = "s3cret/pass@word";

/** A reply to a recipient; undefined for 250. */
type Reply = (address: string) => [code: number, text: string] | undefined;

interface ServerOptions {
  /** Whether it offers STARTTLS. */
  startTls?: boolean;
  /** Whether TLS begins at once. */
  secure?: boolean;
  /** Whether it asks for the password. */
  auth?: boolean;
  port?: number;
}

/** A real SMTP server, which keeps what it gets. */
export async function startMailServer({
  startTls = false,
  secure = false,
  auth = false,
  port = 0,
}: ServerOptions = {}) {
  const received: Received[] = [];
  const connections = new Map<string, number>();
  let reply: Reply = () => undefined;
  const options: SMTPServerOptions = {
    ...SELF_SIGNED,
    secure,
    // Mails of tests are small; a slow look-up of the client's name isn't.
    disableReverseLookup: true,
    authOptional: !auth,
    hideSTARTTLS: !startTls,
    disabledCommands: [...(startTls ? [] : ["STARTTLS"]), ...(auth ? [] : ["AUTH"])],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (username === "site@example.org" && password === PASSWORD) return done(null, { user: username });
      const repeated = Buffer.from(`\0${username}\0${password}`).toString("base64");
      done(new Error(`5.7.8 Wrong: ${password} ${repeated}`));
    },
    onRcptTo({ address }, _session, done) {
      const [responseCode, text] = reply(address) ?? [];
      done(responseCode === undefined ? null : Object.assign(new Error(text), { responseCode }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      const take = async () => {
        const bytes = Buffer.concat(chunks);
        if (!connections.has(session.id)) connections.set(session.id, connections.size + 1);
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          mail: await simpleParser(bytes),
          raw: bytes.toString("latin1"),
          connection: connections.get(session.id) ?? 0,
          isEncrypted: session.secure,
          user: session.user as string | undefined,
        });
        done(null, "OK: queued");
      };
      stream.on("end", () => void take());
    },
  };
  const server = new SMTPServer(options);
  server.on("error", () => {});
  server.listen(port, "0.0.0.0");
  await once(server.server, "listening");
  const { port: taken } = server.server.address() as AddressInfo;
  return {
    port: taken,
    received,
    /** How recipients are answered from now on. */
    answerWith(next: Reply) {
      reply = next;
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** A server that does this with each connection. */
export async function startBrokenServer(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    onConnection(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const FROM = { name: "Loom Folk", address: "hello@loom.example" };

export function mailServerAt(url: string, from = FROM): MailServer {
  const server = parseMailUrl(url);
  if (server === undefined) throw new Error(`${url} is no MAIL_URL.`);
  return { ...server, from };
}

export const localServer = (port: number): MailServer => mailServerAt(`smtp://127.0.0.1:${port}`);

interface SendOptions {
  server: MailServer | undefined;
  letters?: Letters;
  onFailure?: (error: unknown) => void;
}

/** Does what the worker of a world does with its mails. */
export function mailingIn({ db, services, context: { config, now } }: World) {
  const { signal } = new AbortController();
  const onFailure = (error: unknown) => {
    throw error;
  };
  return {
    send: ({ server: mail, ...manner }: SendOptions) =>
      sendMails({ db, services, mail, baseUrl: config.baseUrl, now, onFailure }, { signal, ...manner }),
    /** Oldest first. */
    mails: () => mailsIn(db),
  };
}

/** A worthless key, and a self-signed certificate for 127.0.0.1, valid until 2126. */
export const SELF_SIGNED = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGr5Nz81Hjzrs9QoX
oQLsx6que5CZ/c3dtfMLoyi3vHihRANCAAQVFZKJce6JP0t1AN97G5Zse2YJTdfV
fJflxOijtvX57kvAiDIjO7REAdholaPEuc8I9rX+xwBz2rooP01k5AzY
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUCgAwIBAgIUDn4fbMPq3zC0ocCoOmLxT/gy2tAwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwObm9ib2R5LmV4YW1wbGUwIBcNMjYxMTIyMDc0MjQyWhgPMjEy
NjEwMjkwNzQyNDJaMBkxFzAVBgNVBAMMDm5vYm9keS5leGFtcGxlMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEFRWSiXHuiT9LdQDfexuWbHtmCU3X1XyX5cToo7b1
+e5LwIgyIzu0RAHYaJWjxLnPCPa1/scAc9q6KD9NZOQM2KNkMGIwHQYDVR0OBBYE
FAqn0cOehSh0vUgATVGgDUqmPfqEMB8GA1UdIwQYMBaAFAqn0cOehSh0vUgATVGg
DUqmPfqEMA8GA1UdEwEB/wQFMAMBAf8wDwYDVR0RBAgwBocEfwAAATAKBggqhkjO
PQQDAgNJADBGAiEA7BqNSzhn8e4gBZJzHdC2S0Kkx0nf/KcRnXIvlC8WWjwCIQCr
tDmAFlHbfuaqvldMKxG3sFs/KIIxigJlP0xKibxr6A==
-----END CERTIFICATE-----`,
};
