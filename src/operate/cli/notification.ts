import * as notifications from "../../community/notifications/notifications.ts";
import { notification as show } from "../../community/notifications/view.ts";
import { limit, userNamed } from "./arguments.ts";
import { group, list } from "./command.ts";
import { formatTime } from "./output.ts";

export const addNotification = group("notification", "read users' notifications", [
  list({
    name: "list",
    text: "print a user's notifications, newest first",
    options: { "--user <username>": { text: "the user", required: true }, ...limit(1_000) },
    json: 'print an array of {"id", "kind", "created_at", "read_at", "article_id", "id_code", "title", "path"}, as they apply',
    examples: "inkstone notification list --user lena",
    run: async (db, { user, limit }: { user: string; limit: number }) =>
      (await notifications.list(db, await userNamed(db, user), limit)).map(show),
    line: ({ created_at, kind, title, path }) => `${formatTime(created_at)}  ${kind}: ${title} (${path})`,
    empty: ({ user }) => `${user} has no notifications.`,
  }),
]);
