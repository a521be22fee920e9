import { type Static, Type } from "typebox";
import { idParameter, listPage, orNull, Timestamp } from "../http/schema.ts";
import { Author } from "../users/schema.ts";
import { EVENT_NAMES } from "./event-names.ts";

const EventNames = Type.Array(Type.Enum([...EVENT_NAMES]), { description: "What it is told of." });

/** An endpoint in the list of its owner's. */
export const ListedWebhook = Type.Object(
  {
    type_of: Type.Literal("webhook_endpoint"),
    id: Type.Integer(),
    source: Type.String({ description: "Who or what it is for, in its owner's words." }),
    target_url: Type.String({ description: "Where events are sent." }),
    events: EventNames,
    created_at: Timestamp,
    disabled_at: orNull(
      Type.String({
        format: "date-time",
        description: "Since when nothing is sent to it; null when it works.",
      }),
    ),
    disabled_reason: orNull(Type.String({ description: "Why, in a sentence." })),
  },
  { title: "ListedWebhook" },
);
export type ListedWebhook = Static<typeof ListedWebhook>;

/** An endpoint alone. */
export const Webhook = Type.Object({ ...ListedWebhook.properties, user: Author }, { title: "Webhook" });
export type Webhook = Static<typeof Webhook>;

/** The same where its secret is shown. */
export const WebhookWithSecret = Type.Object(
  {
    ...Webhook.properties,
    secret: Type.String({
      description: "What deliveries are signed with: `whsec_` and base64. Shown here and never again.",
    }),
  },
  { title: "WebhookWithSecret" },
);
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

export const WebhookDelivery = Type.Object(
  {
    type_of: Type.Literal("webhook_delivery"),
    id: Type.Integer(),
    event: Type.Enum([...EVENT_NAMES, "ping"]),
    state: Type.Enum(["pending", "delivered", "failed", "exhausted"], {
      description:
        "`pending` while an attempt is due, `exhausted` after the last one, `failed` when given up before.",
    }),
    attempts: Type.Integer({ description: "How many there were since it was last asked for." }),
    response_status: orNull(Type.Integer({ description: "Of the last attempt; null without an answer." })),
    response_beginning: orNull(
      Type.String({ description: "The first 1,000 characters of that answer's body; null without any." }),
    ),
    failure: orNull(Type.String({ description: "What went wrong the last time, in a sentence." })),
    next_attempt_at: orNull(Timestamp),
    created_at: Timestamp,
  },
  { title: "WebhookDelivery" },
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const NewWebhook = Type.Object({
  webhook_endpoint: Type.Object({
    source: Type.String({ maxLength: 100, description: "Who or what it is for." }),
    target_url: Type.String({ format: "uri", description: "An https address, each of yours once." }),
    events: Type.Array(Type.String(), {
      minItems: 1,
      description: `Some of ${EVENT_NAMES.join(", ")}; also as \`ArticleCreated\`.`,
    }),
  }),
});

const id = idParameter("The number of the endpoint.");

export const WebhookId = Type.Object({ id });
export const DeliveryList = Type.Object(listPage({ default: 30, max: 1000 }));
export const DeliveryId = Type.Object({
  id,
  // Deliveries are more than anything else: their numbers don't end with those of an `int`.
  delivery_id: Type.Integer({
    minimum: 0,
    maximum: 9_999_999_999,
    description: "The number of the delivery.",
  }),
});
