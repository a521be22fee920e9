import { list, operations } from "../../http/operation.ts";
import { listed } from "../../http/responses.ts";
import * as queries from "./list-queries.ts";
import { Notification, NOTIFICATION_EXAMPLE, NotificationList } from "./schema.ts";
import * as view from "./view.ts";

export const notificationRoutes = operations("notifications", [
  list({
    path: "GET /api/notifications",
    id: "getNotifications",
    access: "key",
    summary: "List the caller's notifications",
    description: "Newest first. Reading this list doesn't mark them as read.",
    query: NotificationList,
    answers: listed(Notification, "the notifications", NOTIFICATION_EXAMPLE),
    rows: ({ caller, query }, { db }, { limit, offset }) =>
      queries.list(db.main, caller.id, limit, { offset, isUnread: query.unread === "true" }),
    show: view.notification,
  }),
]);
