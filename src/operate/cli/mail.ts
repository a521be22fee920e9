import { randomUUID } from "node:crypto";
import { InvalidArgumentError } from "commander";
import { readConfig } from "../../platform/config.ts";
import { parseFrom } from "../../platform/config/mail.ts";
import { invalid } from "../../platform/errors.ts";
import { render } from "../../mail/render.tsx";
import { createTransport } from "../../mail/transport.ts";
import * as settings from "../../platform/settings/settings.ts";
import { command, group } from "./command.ts";

export const addMail = group("mail", "test how emails are sent", [
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
]);

function parseAddress(text: string): string {
  if (parseFrom(text)?.address === text) return text;
  throw new InvalidArgumentError("It must be an e-mail address such as lena@example.com");
}
