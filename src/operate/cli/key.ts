import { InvalidArgumentError } from "commander";
import * as log from "../../community/log/log.ts";
import { operator } from "../../http/actor.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { parseMoment } from "../../platform/text/dates.ts";
import { quote } from "../../platform/text/quote.ts";
import * as keys from "../../community/users/keys.ts";
import { id, userNamed } from "./arguments.ts";
import { command, group, list } from "./command.ts";
import { formatTime } from "./output.ts";

interface NewKey {
  user: string;
  description: string;
  readOnly?: boolean;
  expires?: Date;
}

export const addKey = group("key", "create and revoke API keys", [
  command({
    name: "create",
    text: "create an API key and print it; it is shown only once",
    options: {
      "--user <username>": { text: "the owner of the key", required: true },
      "--description <text>": { text: "what the key is for", required: true },
      "--read-only": "make a key that can't change anything",
      "--expires <date>": { text: "when the key expires, like 2027-01-31", parse: parseDate },
    },
    json: ["id", "api_key"],
    examples: 'inkstone key create --user lena --description "Blog sync" --expires 2027-01-31',
    run: async (db, { user, description, readOnly = false, expires }: NewKey) => {
      const userId = await userNamed(db, user);
      const newKey = { userId, description, readOnly, ...(expires && { expiresAt: expires }) };
      const { id, key } = await keys.create(db, newKey, new Date());
      return { id, api_key: key };
    },
    print: ({ api_key }) => api_key,
  }),
  list({
    name: "list",
    text: "print a user's keys, oldest first, without the secrets",
    options: { "--user <username>": { text: "the owner of the keys", required: true } },
    json: ["id", "description", "hint", "read_only", "created_at", "last_used_at", "expires_at"],
    examples: "inkstone key list --user lena",
    run: async (db, { user }: { user: string }) => keys.list(db, await userNamed(db, user)),
    line: describe,
    empty: ({ user }) => `${user} has no API keys.`,
  }),
  command({
    name: "revoke",
    text: "revoke a key; running servers refuse it from then on",
    args: { "<id>": { text: "the number of the key, as `key list` prints it", parse: id("a key") } },
    json: ["id", "user_id", "description"],
    examples: "inkstone key revoke 12",
    run: (db, { id }: { id: number }) =>
      inTransaction(db, async (tx) => {
        const key = await keys.revoke(tx, id);
        const on = { kind: "user", id: key.user_id } as const;
        await log.record(tx, operator(tx), { act: "edit_user", on, detail: `revoked the key ${id}` });
        return key;
      }),
    print: ({ description }, { id }) => `Revoked the key ${id}, ${quote(description)}.`,
  }),
]);

function describe({ id, description, ...key }: Awaited<ReturnType<typeof keys.list>>[number]): string {
  const isOver = key.expires_at !== null && key.expires_at <= new Date();
  const parts = [
    key.hint ?? "imported",
    ...(key.read_only ? ["read-only"] : []),
    key.last_used_at ? `last used ${formatTime(key.last_used_at)}` : "never used",
    ...(key.expires_at ? [`${isOver ? "expired" : "expires"} ${formatTime(key.expires_at)}`] : []),
  ];
  return `${id}  ${quote(description)} (${parts.join(", ")})`;
}

function parseDate(text: string): Date {
  const date = parseMoment(text);
  if (!date)
    throw new InvalidArgumentError("It must be a date like 2027-01-31 or a time like 2027-01-31T09:15:00Z");
  return date;
}
