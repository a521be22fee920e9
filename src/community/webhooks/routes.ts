import { Type } from "typebox";
import { list, operations, type Program, read, type Shown, write } from "../../http/operation.ts";
import { accepted, created, emptied, found, listed } from "../../http/responses.ts";
import { apiPath } from "../../platform/paths.ts";
import * as deliveryQueries from "./delivery-queries.ts";
import * as endpoints from "./endpoints.ts";
import { NewWebhook } from "./fields.ts";
import * as queries from "./queries.ts";
import * as queue from "./queue.ts";
import {
  CreatedWebhook,
  DELIVERY_EXAMPLE,
  DeliveryId,
  DeliveryList,
  LISTED_EXAMPLE,
  ListedWebhook,
  SECRET_EXAMPLE,
  Webhook,
  WEBHOOK_EXAMPLE,
  WebhookDelivery,
  WebhookId,
  WebhookWithSecret,
} from "./schema.ts";
import * as view from "./view.ts";

/** The version of the response is that of a read, which has no secret. */
function show({ row, ...secret }: endpoints.Written, { baseUrl }: Program): Shown {
  const webhook = view.webhook(row, baseUrl);
  return { body: JSON.stringify({ ...webhook, ...secret }), representation: JSON.stringify(webhook) };
}

const showDelivery = (row: deliveryQueries.DeliveryRow): Shown => ({
  body: JSON.stringify(view.delivery(row)),
});

const DUE = accepted(WebhookDelivery, "the delivery, which is now pending", DELIVERY_EXAMPLE);

export const webhookRoutes = operations("webhooks", [
  read({
    path: "GET /api/webhooks",
    id: "listWebhooks",
    access: "key",
    summary: "List the caller's webhook endpoints",
    description: "All endpoints of the caller, oldest first, without their secrets.",
    answers: found(Type.Array(ListedWebhook), "the endpoints; it is an empty array if there are none", [
      LISTED_EXAMPLE,
    ]),
    async run({ caller }, { db }) {
      const rows = await queries.list(db.main, caller.id);
      return { body: JSON.stringify(rows.map(view.listed)) };
    },
  }),
  read({
    path: "GET /api/webhooks/:id",
    id: "getWebhook",
    access: "key",
    summary: "Get a webhook endpoint",
    description: "An endpoint of the caller, without its secret. Endpoints of other users are 404.",
    params: WebhookId,
    answers: found(Webhook, "the endpoint", WEBHOOK_EXAMPLE),
    async run({ caller, params }, { db, baseUrl }) {
      const row = await endpoints.get(db.main, { id: params.id, userId: caller.id });
      return { body: JSON.stringify(view.webhook(row, baseUrl)) };
    },
  }),
  list({
    path: "GET /api/webhooks/:id/deliveries",
    id: "listWebhookDeliveries",
    access: "key",
    summary: "List the deliveries to a webhook endpoint",
    description: "Deliveries of the last 30 days, newest first.",
    params: WebhookId,
    query: DeliveryList,
    answers: listed(WebhookDelivery, "the deliveries", DELIVERY_EXAMPLE),
    async rows({ caller, params }, { db }, part) {
      const { id } = await endpoints.get(db.main, { id: params.id, userId: caller.id });
      return deliveryQueries.list(db.main, { endpointId: id, ...part });
    },
    show: view.delivery,
  }),
  write({
    path: "POST /api/webhooks",
    id: "createWebhook",
    access: "write",
    summary: "Create a webhook endpoint",
    description:
      "The response contains the `secret` that signs deliveries; it can't be read again. A user has at most 10 endpoints.",
    body: NewWebhook,
    answers: created(CreatedWebhook, "the endpoint with its secret", SECRET_EXAMPLE),
    show: (made: endpoints.Written, program) => ({
      location: apiPath("webhooks", made.row.id),
      ...show(made, program),
    }),
    run: (actor, { body }, { config }) => endpoints.create(actor, { body, policy: config }),
  }),
  write({
    path: "POST /api/webhooks/:id/rotate_secret",
    id: "rotateWebhookSecret",
    access: "write",
    summary: "Rotate the secret of a webhook endpoint",
    description:
      "For 24 hours, deliveries are signed with both the old and the new secret. At most five rotations in 24 hours.",
    params: WebhookId,
    answers: found(WebhookWithSecret, "the endpoint with its new secret", SECRET_EXAMPLE),
    show,
    run: (actor, { params }) => endpoints.rotateSecret(actor, params.id),
  }),
  write({
    path: "DELETE /api/webhooks/:id",
    id: "deleteWebhook",
    access: "write",
    summary: "Delete a webhook endpoint",
    description: "Deletes the endpoint and its deliveries, including pending ones.",
    params: WebhookId,
    answers: emptied("The endpoint is deleted."),
    run: (actor, { params }) => endpoints.remove(actor, params.id),
  }),
  write({
    path: "POST /api/webhooks/:id/deliveries/:delivery_id/retry",
    id: "retryWebhookDelivery",
    access: "write",
    summary: "Retry a delivery",
    description:
      "Sends the delivery again now, whatever its state, with the same `webhook-id` and body. A disabled endpoint is 422.",
    params: DeliveryId,
    answers: DUE,
    show: showDelivery,
    run: (actor, { params: { id, delivery_id: deliveryId } }) =>
      actor.run((tx) => queue.retry(tx, { key: endpoints.keyOf(actor, id), deliveryId, now: actor.now() })),
  }),
  write({
    path: "POST /api/webhooks/:id/ping",
    id: "pingWebhook",
    access: "write",
    summary: "Send a test event to a webhook endpoint",
    description: "The type of the event is `ping`; its data is the endpoint without the secret.",
    params: WebhookId,
    answers: DUE,
    show: showDelivery,
    run: (actor, { params }, { baseUrl }) =>
      actor.run((tx) =>
        queue.ping(tx, { key: endpoints.keyOf(actor, params.id), now: actor.now(), baseUrl }),
      ),
  }),
  write({
    path: "POST /api/webhooks/:id/enable",
    id: "enableWebhook",
    access: "write",
    summary: "Enable a webhook endpoint",
    description:
      "Enables a disabled endpoint and sends the events that it has missed, as far as they are still stored. No effect on an enabled endpoint.",
    params: WebhookId,
    answers: accepted(Webhook, "the endpoint", WEBHOOK_EXAMPLE),
    show,
    run: (actor, { params }) => endpoints.enable(actor, params.id),
  }),
]);
