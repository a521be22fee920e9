import { type Static, Type } from "typebox";
import { type ConsumedBy, CONSUMERS } from "../../platform/events/events.ts";
import {
  count,
  idParameter,
  listPage,
  orNull,
  text,
  textOrNull,
  timestamp,
  withWarnings,
} from "../../http/schema.ts";
import { Author, AUTHOR_EXAMPLE } from "../users/schema.ts";

/** The events that endpoints can subscribe to, in the order of the documentation. */
export const EVENT_NAMES = CONSUMERS.webhooks;

export type EventName = ConsumedBy<"webhooks">;

const EventNames = Type.Array(Type.Enum([...EVENT_NAMES]), { description: "The events that are sent." });

export const ListedWebhook = Type.Object(
  {
    type_of: Type.Literal("webhook_endpoint", { description: "The type of the resource." }),
    id: count("The id of the endpoint."),
    source: text("The name that the owner has given the endpoint."),
    target_url: text("The URL that events are sent to."),
    events: EventNames,
    created_at: timestamp("When the endpoint was created."),
    disabled_at: orNull(timestamp("When the endpoint was disabled. Null while it is enabled.")),
    disabled_reason: textOrNull("Why the endpoint was disabled, as a sentence."),
  },
  { title: "ListedWebhook", description: "A webhook endpoint in a list." },
);
export type ListedWebhook = Static<typeof ListedWebhook>;

export const Webhook = Type.Object(
  { ...ListedWebhook.properties, user: Author },
  { title: "Webhook", description: "A webhook endpoint." },
);
export type Webhook = Static<typeof Webhook>;

export const WebhookWithSecret = Type.Object(
  {
    ...Webhook.properties,
    secret: text("The key that signs deliveries: `whsec_` and base64. Shown only in this response."),
  },
  { title: "WebhookWithSecret", description: "A webhook endpoint with its secret." },
);
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

export const CreatedWebhook = withWarnings(
  WebhookWithSecret,
  "CreatedWebhook",
  "A new webhook endpoint with its secret, and warnings if there are any.",
);

export const WebhookDelivery = Type.Object(
  {
    type_of: Type.Literal("webhook_delivery", { description: "The type of the resource." }),
    id: count("The id of the delivery."),
    event: Type.Enum([...EVENT_NAMES, "ping"], { description: "The type of the event." }),
    state: Type.Enum(["pending", "delivered", "failed", "exhausted"], {
      description:
        "`pending` while another attempt is due, `delivered` after a success, `exhausted` after the last attempt, `failed` when abandoned earlier.",
    }),
    attempts: count("The number of attempts since the delivery was last requested."),
    response_status: orNull(
      count("The status of the response to the last attempt. Null without a response."),
    ),
    response_beginning: textOrNull(
      "The first 1,000 characters of that response's body. Null without a body.",
    ),
    failure: textOrNull("Why the last attempt failed, as a sentence."),
    next_attempt_at: orNull(timestamp("When the next attempt is due. Null when none is.")),
    created_at: timestamp("When the delivery was created."),
  },
  { title: "WebhookDelivery", description: "An event sent to a webhook endpoint." },
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

const id = idParameter("The id of the endpoint.", 1);

export const WebhookId = Type.Object({ id });
export const DeliveryList = Type.Object(listPage({ default: 30, max: 1000 }));
export const DeliveryId = Type.Object({
  id,
  // Deliveries outnumber everything else: their ids exceed an `int`.
  delivery_id: Type.Integer({
    minimum: 0,
    maximum: 9_999_999_999,
    description: "The id of the delivery.",
    examples: [1],
  }),
});

export const LISTED_EXAMPLE: ListedWebhook = {
  type_of: "webhook_endpoint",
  id: 1,
  source: "site-builder",
  target_url: "https://hooks.example/inkstone",
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
  id: 1,
  event: "article_published",
  state: "pending",
  attempts: 2,
  response_status: 503,
  response_beginning: "Back in a minute.",
  failure: "The endpoint responded with status 503.",
  next_attempt_at: "2026-03-01T08:30:00Z",
  created_at: "2026-03-01T08:00:00Z",
};
