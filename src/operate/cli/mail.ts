import { randomUUID } from "node:crypto";
import { InvalidArgumentError } from "commander";
import { readConfig } from "../../platform/config.ts";
import { parseFrom } from "../../platform/config/mail.ts";
import { invalid } from "../../platform/errors.ts";
import { type MailRow, list as listMails, retry } from "../../mail/queue.ts";
import { render } from "../../mail/render.tsx";
import { createTransport } from "../../mail/transport.ts";
import * as settings from "../../platform/settings/settings.ts";
import { id, limit } from "./arguments.ts";
import { command, group, list } from "./command.ts";
import { formatTime } from "./output.ts";

const KEYS = [
  "id",
  "kind",
  "user",
  "address",
  "state",
  "attempts",
  "reply",
  "created_at",
  "next_attempt_at",
  "finished_at",
] as const;

export const addMail = group("mail", "test how emails are sent, and send failed ones again", [
  command({
    name: "test",
    text: "send an email at once, and print what the server replies",
    args: { "<address>": { text: "where it goes", parse: parseAddress } },
    json: ["address", "result", "reply"],
    examples: "inkstone mail test lena@example.com",
    async run(db, { address }: { address: string }) {
      const { mail, baseUrl } = readConfig();
      if (mail === undefined) throw invalid("Mail is not set up: set MAIL_URL and MAIL_FROM.");
      const { community_name: community } = await settings.read(db);
      const letter = {
        subject: `A test of the emails of ${community}`,
        body: ["The site can send emails.", { path: "/", words: "Open the site" }],
        why: "You get this email because an operator of the site ran `inkstone mail test`.",
      };
      const transport = createTransport(mail, { baseUrl });
      const from = { ...mail.from, name: mail.from.name || community };
      const message = { id: randomUUID(), to: address, from, ...render(letter, { community, baseUrl }) };
      const outcome = await transport.send(message);
      await transport.close();
      return { address, ...outcome };
    },
    failed: ({ result }) => result !== "sent",
    print: ({ address, result, reply }) =>
      result === "sent"
        ? `Sent to ${address}. The server replied: ${reply}`
        : `The email to ${address} was not sent: ${reply}`,
  }),
  list({
    name: "list",
    text: "print emails of the last 30 days, newest first, without their texts",
    options: { "--failed": "only those that have failed", ...limit(30) },
    json: KEYS,
    examples: "inkstone mail list --failed",
    run: (db, { failed = false, limit }: { failed?: boolean; limit: number }) =>
      listMails(db, { isFailed: failed, limit }),
    line: mailLine,
    empty: ({ failed }) => (failed ? "No email has failed." : "There are no emails."),
  }),
  command({
    name: "retry",
    text: "send an email again that has failed or waits",
    args: { "<mail>": { text: "the number of the email", parse: id("an email", 9_999_999_999) } },
    json: KEYS,
    examples: "inkstone mail retry 912",
    run: (db, { mail }: { mail: number }) => retry(db, mail, new Date()),
    print: ({ id, user, address }) => `A running server sends email ${id} to ${address ?? user} again.`,
  }),
]);

function parseAddress(text: string): string {
  if (parseFrom(text)?.address === text) return text;
  throw new InvalidArgumentError("It must be an e-mail address such as lena@example.com");
}

function mailLine({ id, kind, user, address, state, attempts, reply, created_at, next_attempt_at }: MailRow) {
  const next = next_attempt_at && `next ${formatTime(next_attempt_at)}`;
  const parts = [`attempts: ${attempts}`, reply, next].filter((part) => part !== null);
  return `${id}  ${formatTime(created_at)}  ${kind} to ${address ?? user}: ${state} (${parts.join(", ")})`;
}
