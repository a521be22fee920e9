import { Type } from "typebox";
import type { Context } from "../context.ts";
import { privateAnswer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { caller } from "../http/auth.ts";
import { cutCounted } from "../http/pages.ts";
import { own, ownListed } from "../http/schema.ts";
import * as deliveryQueries from "./delivery-queries.ts";
import { shown } from "./endpoints.ts";
import * as queries from "./queries.ts";
import {
  DeliveryList,
  ListedWebhook,
  Webhook,
  WebhookDelivery,
  WebhookId,
  DELIVERY_EXAMPLE,
  LISTED_EXAMPLE,
  WEBHOOK_EXAMPLE,
} from "./schema.ts";
import * as view from "./view.ts";

const tags = ["webhooks"];

export function webhookRoutes(app: App, context: Context): void {
  const { config, db } = context;
  app.get(
    "/api/webhooks",
    {
      config: { access: "key" },
      schema: {
        operationId: "listWebhooks",
        summary: "List the caller's webhook endpoints",
        description: "All endpoints of the caller, oldest first, without their secrets.",
        tags,
        response: own(Type.Array(ListedWebhook), {
          description: "The response contains the endpoints; it is an empty array if there are none.",
          example: [LISTED_EXAMPLE],
        }),
      },
    },
    async (request, reply) => {
      const rows = await queries.list(db.main, caller(request).id);
      return privateAnswer(request, reply, { body: JSON.stringify(rows.map(view.listed)) });
    },
  );
  app.get(
    "/api/webhooks/:id",
    {
      config: { access: "key" },
      schema: {
        operationId: "getWebhook",
        summary: "Get a webhook endpoint",
        description: "An endpoint of the caller, without its secret. Endpoints of other users are 404.",
        tags,
        params: WebhookId,
        response: own(Webhook, {
          description: "The response contains the endpoint.",
          example: WEBHOOK_EXAMPLE,
          refusals: [404],
        }),
      },
    },
    async (request, reply) => {
      const row = await shown(db.main, { id: request.params.id, userId: caller(request).id });
      return privateAnswer(request, reply, { body: JSON.stringify(view.webhook(row, config.baseUrl)) });
    },
  );
  deliveriesRoute(app, context);
}

function deliveriesRoute(app: App, { config, db }: Context): void {
  app.get(
    "/api/webhooks/:id/deliveries",
    {
      config: { access: "key" },
      schema: {
        operationId: "listWebhookDeliveries",
        summary: "List the deliveries to a webhook endpoint",
        description: "Deliveries of the last 30 days, newest first.",
        tags,
        params: WebhookId,
        querystring: DeliveryList,
        response: ownListed(WebhookDelivery, {
          description: "The response contains the deliveries; it is an empty array past the last page.",
          example: [DELIVERY_EXAMPLE],
          refusals: [404],
        }),
      },
    },
    async (request, reply) => {
      const { id } = await shown(db.main, { id: request.params.id, userId: caller(request).id });
      const asked = { request, baseUrl: config.baseUrl, ...request.query };
      const { rows, headers } = await cutCounted(asked, (part) =>
        deliveryQueries.list(db.main, { endpointId: id, ...part }),
      );
      return privateAnswer(request, reply, { body: JSON.stringify(rows.map(view.delivery)), headers });
    },
  );
}
