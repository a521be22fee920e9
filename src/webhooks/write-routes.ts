import type { Context } from "../context.ts";
import type { App } from "../http/app-type.ts";
import { caller } from "../http/auth.ts";
import type { RunWrite } from "../http/mutate.ts";
import { errors, none, ok } from "../http/schema.ts";
import { apiPath } from "../paths.ts";
import { readAttributes } from "./attributes.ts";
import * as endpoints from "./endpoints.ts";
import { NewWebhook, WebhookId, WebhookWithSecret, SECRET_EXAMPLE } from "./schema.ts";
import { answerOf, ownOf } from "./presenter.ts";

const tags = ["webhooks"];

/** The writes of the caller's endpoints. */
export function webhookWriteRoutes(app: App, context: Context, runWrite: RunWrite): void {
  createRoute(app, context, runWrite);
  deleteRoute(app, runWrite);
  rotateRoute(app, context, runWrite);
}

function createRoute(app: App, context: Context, runWrite: RunWrite): void {
  const { config, now } = context;
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
        verb: (actor) =>
          actor.run(async (tx) => {
            const userId = caller(request).id;
            const attributes = readAttributes(request.body, config);
            const { id, secret } = await endpoints.create(tx, { userId, attributes, now: now() });
            const headers = { location: config.baseUrl + apiPath("webhooks", id) };
            return { status: 201, headers, ...(await answerOf(tx, context, { id, userId }, { secret })) };
          }),
        show: (result) => result,
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
        verb: (actor) =>
          actor.run(async (tx) => {
            await endpoints.remove(tx, ownOf(request));
            return { status: 204, body: "" };
          }),
        show: (result) => result,
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
        verb: (actor) =>
          actor.run(async (tx) => {
            const own = ownOf(request);
            const { secret } = await endpoints.rotateSecret(tx, own, context.now());
            return { status: 200, ...(await answerOf(tx, context, own, { secret })) };
          }),
        show: (result) => result,
      }),
  );
}
