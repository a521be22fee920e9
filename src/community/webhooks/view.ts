import { timestamp } from "../../platform/text/dates.ts";
import * as userView from "../users/view.ts";
import type { DeliveryRow } from "./delivery-queries.ts";
import type { EndpointRow } from "./queries.ts";
import type { EventName, ListedWebhook, Webhook, WebhookDelivery } from "./schema.ts";

export function listed(row: EndpointRow): ListedWebhook {
  return {
    type_of: "webhook_endpoint",
    id: row.id,
    source: row.source,
    target_url: row.target_url,
    events: row.events as EventName[],
    created_at: timestamp(row.created_at),
    disabled_at: row.disabled_at && timestamp(row.disabled_at),
    disabled_reason: row.disabled_reason,
  };
}

export function webhook(row: EndpointRow, baseUrl: string): Webhook {
  return {
    ...listed(row),
    created_at: row.created_at.toISOString(),
    user: userView.author(row.user, baseUrl),
  };
}

export function delivery(row: DeliveryRow): WebhookDelivery {
  return {
    type_of: "webhook_delivery",
    id: row.id,
    event: row.event as WebhookDelivery["event"],
    state: row.state as WebhookDelivery["state"],
    attempts: row.attempts,
    response_status: row.response_status,
    response_beginning: row.response_beginning,
    failure: row.failure,
    next_attempt_at: row.next_attempt_at && timestamp(row.next_attempt_at),
    created_at: timestamp(row.created_at),
  };
}
