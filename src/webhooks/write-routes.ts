import type { Context } from "../context.ts";
import type { App } from "../http/app-type.ts";
import type { RunWrite, WriteResult } from "../http/mutate.ts";
import { errors, none, ok } from "../http/schema.ts";
import { apiPath } from "../paths.ts";
import type { DeliveryRow } from "./delivery-queries.ts";
import * as endpoints from "./endpoints.ts";
import { NewWebhook } from "./fields.ts";
import * as queue from "./queue.ts";
import {
  DELIVERY_EXAMPLE,
  DeliveryId,
  SECRET_EXAMPLE,
  Webhook,
  WEBHOOK_EXAMPLE,
  WebhookDelivery,
  WebhookId,
  WebhookWithSecret,
} from "./schema.ts";
import * as view from "./view.ts";

const tags = ["webhooks"];

const refusals = errors(401, 404, 409, 422, 429, 500, 503);

const sent = (description: string) => ({
  202: ok(WebhookDelivery, { description, example: DELIVERY_EXAMPLE }),
  ...refusals,
});

/** The answer that shows an endpoint; its version is that of a read, which has no secret. */
function show(
  { row, ...secret }: endpoints.Written,
  { config }: Context,
): Pick<WriteResult, "body" | "representation"> {
  const webhook = view.webhook(row, config.baseUrl);
  return { body: JSON.stringify({ ...webhook, ...secret }), representation: JSON.stringify(webhook) };
}

const showDelivery = (row: DeliveryRow): WriteResult => ({
  status: 202,
  body: JSON.stringify(view.delivery(row)),
});

/** The writes of the caller's endpoints, and the deliveries that the caller requests. */
export function webhookWriteRoutes(app: App, context: Context, runWrite: RunWrite): void {
  createRoute(app, context, runWrite);
  deleteRoute(app, runWrite);
  rotateRoute(app, context, runWrite);
  retryRoute(app, runWrite);
  pingRoute(app, context, runWrite);
  enableRoute(app, context, runWrite);
}

function createRoute(app: App, context: Context, runWrite: RunWrite): void {
  app.post(
    "/api/webhooks",
    {
      config: { access: "write", idempotent: true },
      schema: {
        operationId: "createWebhook",
        summary: "Create a webhook endpoint",
        description:
          "The answer contains the `secret` that signs deliveries; it can't be read again. A user has at most 10 endpoints.",
        tags,
        body: NewWebhook,
        response: {
          201: ok(WebhookWithSecret, {
            description: "The endpoint, with its secret.",
            example: SECRET_EXAMPLE,
            headers: { Location: "The URL of the new resource." },
          }),
          ...errors(401, 409, 422, 429, 500, 503),
        },
      },
    },
    (request, reply) =>
      runWrite(request, reply, {
        verb: (actor) => endpoints.create(actor, { body: request.body, policy: context.config }),
        show: (made) => ({
          status: 201,
          headers: { location: context.config.baseUrl + apiPath("webhooks", made.row.id) },
          ...show(made, context),
        }),
      }),
  );
}

function deleteRoute(app: App, runWrite: RunWrite): void {
  app.delete(
    "/api/webhooks/:id",
    {
      config: { access: "write" },
      schema: {
        operationId: "deleteWebhook",
        summary: "Delete a webhook endpoint",
        description: "Deletes the endpoint and its deliveries, including pending ones.",
        tags,
        params: WebhookId,
        response: { 204: none("The endpoint is deleted."), ...errors(401, 404, 422, 429, 500, 503) },
      },
    },
    (request, reply) =>
      runWrite(request, reply, {
        verb: (actor) => endpoints.remove(actor, request.params.id),
        show: () => ({ status: 204, body: "" }),
      }),
  );
}

function rotateRoute(app: App, context: Context, runWrite: RunWrite): void {
  app.post(
    "/api/webhooks/:id/rotate_secret",
    {
      config: { access: "write", idempotent: true },
      schema: {
        operationId: "rotateWebhookSecret",
        summary: "Rotate the secret of a webhook endpoint",
        description:
          "For 24 hours, deliveries are signed with both the old and the new secret. At most five rotations in 24 hours.",
        tags,
        params: WebhookId,
        response: {
          200: ok(WebhookWithSecret, {
            description: "The endpoint, with its new secret.",
            example: SECRET_EXAMPLE,
          }),
          ...errors(401, 404, 409, 422, 429, 500, 503),
        },
      },
    },
    (request, reply) =>
      runWrite(request, reply, {
        verb: (actor) => endpoints.rotateSecret(actor, request.params.id),
        show: (made) => ({ status: 200, ...show(made, context) }),
      }),
  );
}

function retryRoute(app: App, runWrite: RunWrite): void {
  app.post(
    "/api/webhooks/:id/deliveries/:delivery_id/retry",
    {
      config: { access: "write", idempotent: true },
      schema: {
        operationId: "retryWebhookDelivery",
        summary: "Retry a delivery",
        description:
          "Sends the delivery again now, whatever its state, with the same `webhook-id` and body. A disabled endpoint is 422.",
        tags,
        params: DeliveryId,
        response: sent("The delivery, which is now pending."),
      },
    },
    (request, reply) =>
      runWrite(request, reply, {
        verb: (actor) =>
          actor.run((tx) =>
            queue.retry(tx, {
              own: endpoints.ownOf(actor, request.params.id),
              deliveryId: request.params.delivery_id,
              now: actor.now(),
            }),
          ),
        show: showDelivery,
      }),
  );
}

function pingRoute(app: App, { config: { baseUrl } }: Context, runWrite: RunWrite): void {
  app.post(
    "/api/webhooks/:id/ping",
    {
      config: { access: "write", idempotent: true },
      schema: {
        operationId: "pingWebhook",
        summary: "Send a test event to a webhook endpoint",
        description: "The type of the event is `ping`; its data is the endpoint without the secret.",
        tags,
        params: WebhookId,
        response: sent("The delivery, which is now pending."),
      },
    },
    (request, reply) =>
      runWrite(request, reply, {
        verb: (actor) =>
          actor.run((tx) =>
            queue.ping(tx, {
              own: endpoints.ownOf(actor, request.params.id),
              now: actor.now(),
              baseUrl,
            }),
          ),
        show: showDelivery,
      }),
  );
}

function enableRoute(app: App, context: Context, runWrite: RunWrite): void {
  app.post(
    "/api/webhooks/:id/enable",
    {
      config: { access: "write", idempotent: true },
      schema: {
        operationId: "enableWebhook",
        summary: "Enable a webhook endpoint",
        description:
          "Enables a disabled endpoint and sends the events that it has missed, as far as they are still stored. No effect on an enabled endpoint.",
        tags,
        params: WebhookId,
        response: {
          202: ok(Webhook, { description: "The endpoint.", example: WEBHOOK_EXAMPLE }),
          ...refusals,
        },
      },
    },
    (request, reply) =>
      runWrite(request, reply, {
        verb: (actor) => endpoints.enable(actor, request.params.id),
        show: (made) => ({ status: 202, ...show(made, context) }),
      }),
  );
}
