import type { FastifySchema } from "fastify";
import type { Author } from "../actor.ts";
import type { Context } from "../context.ts";
import type { App } from "../http/app-type.ts";
import type { RunWrite, WriteResult } from "../http/run-write.ts";
import { errors, none, ok } from "../http/schema.ts";
import { apiPath } from "../paths.ts";
import type { DeliveryRow } from "./delivery-queries.ts";
import * as endpoints from "./endpoints.ts";
import { NewWebhook } from "./fields.ts";
import * as queue from "./queue.ts";
import {
  CreatedWebhook,
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

export function webhookWriteRoutes(app: App, context: Context, runWrite: RunWrite): void {
  const post = createPost(app, runWrite);
  secretRoutes(post, context);
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
  deliveryRoutes(post, context);
  post("/:id/enable", {
    schema: {
      operationId: "enableWebhook",
      summary: "Enable a webhook endpoint",
      description:
        "Enables a disabled endpoint and sends the events that it has missed, as far as they are still stored. No effect on an enabled endpoint.",
      params: WebhookId,
      response: {
        202: ok(Webhook, { description: "The response contains the endpoint.", example: WEBHOOK_EXAMPLE }),
        ...refusals,
      },
    },
    verb: (actor, { id }) => endpoints.enable(actor, id),
    show: (made) => ({ status: 202, ...show(made, context) }),
  });
}

interface Write<Result> {
  schema: FastifySchema;
  verb: (actor: Author, ids: { id: number; delivery_id: number }, body: unknown) => Promise<Result>;
  show: (result: Result) => WriteResult;
}

type Post = <Result>(path: string, write: Write<Result>) => void;

function createPost(app: App, runWrite: RunWrite): Post {
  return (path, { schema, verb, show }) =>
    app.post<{ Params: { id: number; delivery_id: number } }>(
      `/api/webhooks${path}`,
      { config: { access: "write", idempotent: true }, schema: { tags, ...schema } },
      (request, reply) =>
        runWrite(request, reply, { verb: (actor) => verb(actor, request.params, request.body), show }),
    );
}

const refusals = errors(401, 404, 409, 422, 429, 500, 503);

/** The version of the answer is that of a read, which has no secret. */
function show({ row, ...secret }: endpoints.Written, { config }: Context) {
  const webhook = view.webhook(row, config.baseUrl);
  return { body: JSON.stringify({ ...webhook, ...secret }), representation: JSON.stringify(webhook) };
}

function secretRoutes(post: Post, context: Context): void {
  const { config } = context;
  post("", {
    schema: {
      operationId: "createWebhook",
      summary: "Create a webhook endpoint",
      description:
        "The response contains the `secret` that signs deliveries; it can't be read again. A user has at most 10 endpoints.",
      body: NewWebhook,
      response: {
        201: ok(CreatedWebhook, {
          description: "The response contains the endpoint with its secret.",
          example: SECRET_EXAMPLE,
          headers: { Location: "The URL of the new resource." },
        }),
        ...errors(401, 409, 422, 429, 500, 503),
      },
    },
    verb: (actor, _ids, body) => endpoints.create(actor, { body, policy: config }),
    show: (made) => ({
      status: 201,
      headers: { location: config.baseUrl + apiPath("webhooks", made.row.id) },
      ...show(made, context),
    }),
  });
  post("/:id/rotate_secret", {
    schema: {
      operationId: "rotateWebhookSecret",
      summary: "Rotate the secret of a webhook endpoint",
      description:
        "For 24 hours, deliveries are signed with both the old and the new secret. At most five rotations in 24 hours.",
      params: WebhookId,
      response: {
        200: ok(WebhookWithSecret, {
          description: "The response contains the endpoint with its new secret.",
          example: SECRET_EXAMPLE,
        }),
        ...refusals,
      },
    },
    verb: (actor, { id }) => endpoints.rotateSecret(actor, id),
    show: (made) => ({ status: 200, ...show(made, context) }),
  });
}

const showDelivery = (row: DeliveryRow) => ({ status: 202, body: JSON.stringify(view.delivery(row)) });

function deliveryRoutes(post: Post, { config: { baseUrl } }: Context): void {
  const response = {
    202: ok(WebhookDelivery, {
      description: "The response contains the delivery, which is now pending.",
      example: DELIVERY_EXAMPLE,
    }),
    ...refusals,
  };
  post("/:id/deliveries/:delivery_id/retry", {
    schema: {
      operationId: "retryWebhookDelivery",
      summary: "Retry a delivery",
      description:
        "Sends the delivery again now, whatever its state, with the same `webhook-id` and body. A disabled endpoint is 422.",
      params: DeliveryId,
      response,
    },
    verb: (actor, { id, delivery_id: deliveryId }) =>
      actor.run((tx) => queue.retry(tx, { own: endpoints.ownOf(actor, id), deliveryId, now: actor.now() })),
    show: showDelivery,
  });
  post("/:id/ping", {
    schema: {
      operationId: "pingWebhook",
      summary: "Send a test event to a webhook endpoint",
      description: "The type of the event is `ping`; its data is the endpoint without the secret.",
      params: WebhookId,
      response,
    },
    verb: (actor, { id }) =>
      actor.run((tx) => queue.ping(tx, { own: endpoints.ownOf(actor, id), now: actor.now(), baseUrl })),
    show: showDelivery,
  });
}
