import { type Static, Type } from "typebox";
import { count, listPage, orNull, text, timestamp } from "../../http/schema.ts";

export const Notification = Type.Object(
  {
    id: count("The id of the notification."),
    kind: text("What has happened, such as `reply` or `follow`."),
    created_at: timestamp("When the caller was notified."),
    read_at: orNull(timestamp("When the caller has read it. Null while it is unread.")),
    article_id: Type.Optional(count("The id of the article, if it is about one or a comment on one.")),
    id_code: Type.Optional(text("The `id_code` of the comment, if it is about one.")),
    title: text("The title of the article or episode, the name of the follower, or a sentence."),
    path: text("The path of what it is about."),
  },
  { title: "Notification", description: "A notification of the caller." },
);
export type Notification = Static<typeof Notification>;

export const NotificationList = Type.Object({
  ...listPage({ default: 30, max: 100 }),
  unread: Type.Optional(
    Type.Enum(["true", "false"], { description: "`true` leaves out read ones.", examples: ["true"] }),
  ),
});

export const NOTIFICATION_EXAMPLE: Notification = {
  id: 12,
  kind: "reply",
  created_at: "2026-03-01T09:30:00Z",
  read_at: null,
  article_id: 18,
  id_code: "2",
  title: "Bicycle rescue: brake cables",
  path: "/theo_marchetti/bicycle-rescue-brake-cables",
};
