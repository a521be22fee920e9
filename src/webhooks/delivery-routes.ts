import type { Context } from "../context.ts";
import type { App } from "../http/app-type.ts";
import type { RunWrite } from "../http/mutate.ts";
import { errors, ok } from "../http/schema.ts";
import * as queue from "./queue.ts";
import { hold } from "./endpoints.ts";
import {
  DeliveryId,
  Webhook,
  WebhookDelivery,
  WebhookId,
  DELIVERY_EXAMPLE,
  WEBHOOK_EXAMPLE,
} from "./schema.ts";
import { answerOf, ownOf, shown } from "./presenter.ts";
import { enable } from "./endpoint-state.ts";
import * as view from "./view.ts";

const tags = ["webhooks"];

const refusals = errors(401, 404, 409, 422, 429, 500, 503);

const sent = (description: string) => ({
  202: ok(WebhookDelivery, { description, example: DELIVERY_EXAMPLE }),
  ...refusals,
});

/** The deliveries that the caller requests. */
export function webhookDeliveryRoutes(app: App, context: Context, runWrite: RunWrite): void {
  retryRoute(app, context, runWrite);
  pingRoute(app, context, runWrite);
  enableRoute(app, context, runWrite);
}

function retryRoute(app: App, { now }: Context, runWrite: RunWrite): void {
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
          actor.run(async (tx) => {
            const wanted = { own: ownOf(request), deliveryId: request.params.delivery_id, now: now() };
            const row = await queue.retry(tx, wanted);
            return { status: 202, body: JSON.stringify(view.delivery(row)) };
          }),
        show: (result) => result,
      }),
  );
}

function pingRoute(app: App, context: Context, runWrite: RunWrite): void {
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
          actor.run(async (tx) => {
            const own = ownOf(request);
            const show = () => shown(tx, context, own);
            const row = await queue.ping(tx, { own, now: context.now(), show });
            return { status: 202, body: JSON.stringify(view.delivery(row)) };
          }),
        show: (result) => result,
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
        verb: (actor) =>
          actor.run(async (tx) => {
            const own = ownOf(request);
            await hold(tx, own);
            await enable(tx, own.id, context.now());
            return { status: 202, ...(await answerOf(tx, context, own)) };
          }),
        show: (result) => result,
      }),
  );
}
