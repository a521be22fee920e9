import { readConfig } from "../../platform/config.ts";
import * as webhooks from "../../community/webhooks/operators.ts";
import { id, limit, userNamed } from "./arguments.ts";
import { command, group, list } from "./command.ts";
import { formatTime } from "./output.ts";

const args = { "<endpoint>": { text: "the number of the endpoint", parse: id("a webhook endpoint") } };

interface Arguments {
  endpoint: number;
}

export const addWebhook = group("webhook", "inspect webhook deliveries, and send them again", [
  list({
    name: "list",
    text: "print the webhook endpoints, without their secrets",
    options: { "--user <username>": "only this user's" },
    json: 'print an array of {"id", "user", "suspended", "source", "target_url", "events", "created_at", "disabled_at", "disabled_reason", "failing_since", "pending"}',
    examples: "inkstone webhook list --user lena",
    run: async (db, { user }: { user?: string }) =>
      webhooks.list(db, user === undefined ? undefined : await userNamed(db, user)),
    line: (endpoint) => {
      const { id, user, source, target_url, pending } = endpoint;
      return `${id}  ${user} (${source})  ${target_url}  ${stateOf(endpoint)}, ${pending} pending`;
    },
    empty: ({ user }) =>
      user === undefined ? "There are no webhook endpoints." : `${user} has no webhook endpoints.`,
  }),
  list({
    name: "deliveries",
    text: "print an endpoint's deliveries, newest first",
    args,
    options: {
      "--state <state>": {
        text: "only deliveries in this state",
        choices: ["pending", "delivered", "failed", "exhausted"],
      },
      ...limit(30),
    },
    json: [
      "id",
      "endpoint_id",
      "event",
      "webhook_id",
      "state",
      "attempts",
      "response_status",
      "failure",
      "response_beginning",
      "duration_ms",
      "next_attempt_at",
      "created_at",
      "finished_at",
    ],
    examples: "inkstone webhook deliveries 3 --state exhausted",
    run: (db, { endpoint, ...filter }: Arguments & { state?: string; limit: number }) =>
      webhooks.listDeliveries(db, { endpointId: endpoint, ...filter }),
    line: deliveryLine,
    empty: ({ endpoint, state }) => `Endpoint ${endpoint} has no ${state ? `${state} ` : ""}deliveries.`,
  }),
  command({
    name: "retry",
    text: "send a delivery again, whatever its state",
    args: { "<delivery>": { text: "the number of the delivery", parse: id("a delivery", 9_999_999_999) } },
    json: ["id", "endpoint_id", "event", "target_url"],
    examples: "inkstone webhook retry 912",
    run: (db, { delivery }: { delivery: number }) => webhooks.retry(db, delivery, new Date()),
    print: ({ target_url }, { delivery }) =>
      `A running server sends delivery ${delivery} to ${target_url} again.`,
  }),
  command({
    name: "ping",
    text: "send an endpoint a test event",
    args,
    json: 'print {"id", "endpoint_id", "event", "target_url"}, with the number of the delivery',
    examples: "inkstone webhook ping 3",
    run: (db, { endpoint }: Arguments) =>
      webhooks.ping(db, { id: endpoint, baseUrl: readConfig().baseUrl, now: new Date() }),
    print: ({ id, target_url }) => `A running server sends delivery ${id} to ${target_url}.`,
  }),
]);

type Endpoint = Awaited<ReturnType<typeof webhooks.list>>[number];

function stateOf({ suspended, disabled_at, disabled_reason, failing_since }: Endpoint): string {
  if (suspended) return "is sent nothing because its owner is suspended";
  if (disabled_at) return `disabled since ${formatTime(disabled_at)} (${disabled_reason})`;
  return failing_since ? `failing since ${formatTime(failing_since)}` : "works";
}

type Delivery = Awaited<ReturnType<typeof webhooks.listDeliveries>>[number];

function deliveryLine(delivery: Delivery): string {
  const { id, created_at, event, state, attempts, response_status, failure, next_attempt_at } = delivery;
  const next = next_attempt_at && `next ${formatTime(next_attempt_at)}`;
  const parts = [`attempts: ${attempts}`, response_status, failure, next].filter((part) => part !== null);
  return `${id}  ${formatTime(created_at)}  ${event}: ${state} (${parts.join(", ")})`;
}
