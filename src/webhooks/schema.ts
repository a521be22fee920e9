import { type Static, Type } from "typebox";
import { count, idParameter, listPage, orNull, text, textOrNull, timestamp, url } from "../http/schema.ts";
import { Author } from "../users/schema.ts";
import { EVENT_NAMES } from "./event-names.ts";

const EventNames = Type.Array(Type.Enum([...EVENT_NAMES]), { description: "The events that are sent." });

/** An endpoint in a list. */
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

/** An endpoint alone. */
export const Webhook = Type.Object(
  { ...ListedWebhook.properties, user: Author },
  { title: "Webhook", description: "A webhook endpoint." },
);
export type Webhook = Static<typeof Webhook>;

/** The same with its secret. */
export const WebhookWithSecret = Type.Object(
  {
    ...Webhook.properties,
    secret: text("The key that signs deliveries: `whsec_` and base64. Shown only in this answer."),
  },
  { title: "WebhookWithSecret", description: "A webhook endpoint with its secret." },
);
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

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

export const NewWebhook = Type.Object(
  {
    webhook_endpoint: Type.Object(
      {
        source: Type.String({ maxLength: 100, description: "A name for the endpoint." }),
        target_url: url("An https URL that none of the caller's other endpoints has."),
        events: Type.Array(Type.String(), {
          minItems: 1,
          description: `The events to send: ${EVENT_NAMES.join(", ")}. \`ArticleCreated\` is read as \`article_created\`.`,
        }),
      },
      { title: "NewWebhookAttributes", description: "The attributes of the endpoint." },
    ),
  },
  { title: "NewWebhook", description: "A webhook endpoint to create." },
);

const id = idParameter("The id of the endpoint.");

export const WebhookId = Type.Object({ id });
export const DeliveryList = Type.Object(listPage({ default: 30, max: 1000 }));
export const DeliveryId = Type.Object({
  id,
  // Deliveries outnumber everything else: their ids exceed an `int`.
  delivery_id: Type.Integer({
    minimum: 0,
    maximum: 9_999_999_999,
    description: "The id of the delivery.",
  }),
});
