import { type Command, Option } from "commander";
import { readConfig } from "../config.ts";
import * as webhooks from "../webhooks/operators.ts";
import { userNamed } from "./named.ts";
import { type JsonOption, printList, printResult } from "./output.ts";
import { parseId, parseLimit } from "./parse-id.ts";
import { formatTime } from "./times.ts";
import { withDatabase } from "./with-database.ts";

export function addWebhook(program: Command): void {
  const webhook = program.command("webhook").description("inspect webhook deliveries, and send them again");
  addList(webhook);
  addDeliveries(webhook);
  addRetry(webhook);
  addPing(webhook);
  addEnable(webhook);
}

const endpointId = parseId("a webhook endpoint");

function addList(webhook: Command): void {
  webhook
    .command("list")
    .description("print the webhook endpoints, without their secrets")
    .option("--user <username>", "only this person's")
    .option(
      "--json",
      'print an array of {"id", "user", "suspended", "source", "target_url", "events", "created_at", "disabled_at", "disabled_reason", "failing_since", "pending"}',
    )
    .addHelpText("after", "\nExample:\n  inkstone webhook list --user lena")
    .action(async ({ user, json = false }: JsonOption & { user?: string }) => {
      const endpoints = await withDatabase({ json }, async ({ db }) =>
        webhooks.list(db, user === undefined ? undefined : await userNamed(db, user)),
      );
      printList({ json }, endpoints, {
        toLines: lineOf,
        empty: user === undefined ? "There are no webhook endpoints." : `${user} has no webhook endpoints.`,
      });
    });
}

type Endpoint = Awaited<ReturnType<typeof webhooks.list>>[number];

function lineOf(endpoint: Endpoint): string {
  const { id, user, source, target_url, pending } = endpoint;
  return `${id}  ${user} (${source})  ${target_url}  ${stateOf(endpoint)}, ${pending} pending`;
}

function stateOf({ suspended, disabled_at, disabled_reason, failing_since }: Endpoint): string {
  if (suspended) return "is sent nothing because its owner is suspended";
  if (disabled_at) return `disabled since ${formatTime(disabled_at)} (${disabled_reason})`;
  return failing_since ? `failing since ${formatTime(failing_since)}` : "works";
}

interface DeliveriesArguments extends JsonOption {
  state?: string;
  limit: number;
}

function addDeliveries(webhook: Command): void {
  webhook
    .command("deliveries")
    .description("print an endpoint's deliveries, newest first")
    .argument("<endpoint>", "the number of the endpoint", endpointId)
    .addOption(
      new Option("--state <state>", "only deliveries in this state").choices([
        "pending",
        "delivered",
        "failed",
        "exhausted",
      ]),
    )
    .option("--limit <number>", "print at most this many", parseLimit, 30)
    .option(
      "--json",
      'print an array of {"id", "endpoint_id", "event", "webhook_id", "state", "attempts", "response_status", "failure", "response_beginning", "duration_ms", "next_attempt_at", "created_at", "finished_at"}',
    )
    .addHelpText("after", "\nExample:\n  inkstone webhook deliveries 3 --state exhausted")
    .action(async (id: number, { json = false, ...wanted }: DeliveriesArguments) => {
      const sent = await withDatabase({ json }, ({ db }) =>
        webhooks.listDeliveries(db, { endpointId: id, ...wanted }),
      );
      printList({ json }, sent, {
        toLines: deliveryLine,
        empty: `Endpoint ${id} has no ${wanted.state ? `${wanted.state} ` : ""}deliveries.`,
      });
    });
}

type Delivery = Awaited<ReturnType<typeof webhooks.listDeliveries>>[number];

function deliveryLine(delivery: Delivery): string {
  const { id, created_at, event, state, attempts, response_status, failure, next_attempt_at } = delivery;
  const outcome = [
    response_status ?? "",
    failure ?? "",
    next_attempt_at ? `next ${formatTime(next_attempt_at)}` : "",
  ];
  const said = outcome.filter((part) => part !== "").join(", ");
  return `${id}  ${formatTime(created_at)}  ${event}: ${state} (attempts: ${attempts}${said && `, ${said}`})`;
}

function addRetry(webhook: Command): void {
  webhook
    .command("retry")
    .description("send a delivery again, whatever its state")
    .argument("<delivery>", "the number of the delivery", parseId("a delivery", 9_999_999_999))
    .option("--json", 'print {"id", "endpoint_id", "event", "target_url"}')
    .addHelpText("after", "\nExample:\n  inkstone webhook retry 912")
    .action(async (id: number, { json = false }: JsonOption) => {
      const sent = await withDatabase({ json }, ({ db }) => webhooks.retry(db, id, new Date()));
      printResult({ json }, sent, () => `A running server sends delivery ${id} to ${sent.target_url} again.`);
    });
}

function addPing(webhook: Command): void {
  webhook
    .command("ping")
    .description("send an endpoint a test event")
    .argument("<endpoint>", "the number of the endpoint", endpointId)
    .option("--json", 'print {"id", "endpoint_id", "event", "target_url"}, with the number of the delivery')
    .addHelpText("after", "\nExample:\n  inkstone webhook ping 3")
    .action(async (id: number, { json = false }: JsonOption) => {
      const { baseUrl } = readConfig();
      const sent = await withDatabase({ json }, ({ db }) =>
        webhooks.ping(db, { id, baseUrl, now: new Date() }),
      );
      printResult({ json }, sent, () => `A running server sends delivery ${sent.id} to ${sent.target_url}.`);
    });
}

function addEnable(webhook: Command): void {
  webhook
    .command("enable")
    .description("enable a disabled endpoint and send what it missed")
    .argument("<endpoint>", "the number of the endpoint", endpointId)
    .option("--json", 'print {"id", "target_url", "changed"}')
    .addHelpText("after", "\nExample:\n  inkstone webhook enable 3")
    .action(async (id: number, { json = false }: JsonOption) => {
      const enabled = await withDatabase({ json }, ({ db }) => webhooks.enable(db, id, new Date()));
      printResult({ json }, enabled, () =>
        enabled.changed ? `Endpoint ${id} is enabled.` : `Endpoint ${id} isn't disabled.`,
      );
    });
}
