import { AUTHOR_EXAMPLE } from "../users/example.ts";
import type { ListedWebhook, Webhook, WebhookDelivery, WebhookWithSecret } from "./schema.ts";

export const LISTED_EXAMPLE: ListedWebhook = {
  type_of: "webhook_endpoint",
  id: 3,
  source: "my-site-builder",
  target_url: "https://hooks.example/a",
  events: ["article_published", "article_updated"],
  created_at: "2026-03-01T08:00:00Z",
  disabled_at: null,
  disabled_reason: null,
};

export const WEBHOOK_EXAMPLE: Webhook = {
  ...LISTED_EXAMPLE,
  created_at: "2026-03-01T08:00:00.123Z",
  user: AUTHOR_EXAMPLE,
};

export const SECRET_EXAMPLE: WebhookWithSecret = {
  ...WEBHOOK_EXAMPLE,
  secret: "whsec_RXhhbXBsZSBvZiBhIHNlY3JldCwgbmV2ZXIgdXNlZC4=",
};

export const DELIVERY_EXAMPLE: WebhookDelivery = {
  type_of: "webhook_delivery",
  id: 912,
  event: "article_published",
  state: "pending",
  attempts: 2,
  response_status: 503,
  response_beginning: "Back in a minute.",
  failure: "It answered with status 503.",
  next_attempt_at: "2026-03-01T08:30:00Z",
  created_at: "2026-03-01T08:00:00Z",
};
