import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import { print } from "./output.ts";

export interface Started {
  /** The address on this computer. */
  local: string;
  demoKey: string | undefined;
}

/** Writes lines to read and copy in a terminal; elsewhere one line of the log, which programs read. */
export function announce(log: FastifyBaseLogger, config: Config, started: Started): void {
  if (config.logFormat === "text" && process.stdout.isTTY) return print(banner(config, started));
  if (config.allowPrivateNetwork) log.warn(PRIVATE_NETWORK_ALLOWED);
  log.info(facts(config, started), "Inkstone is ready.");
}

function facts({ baseUrl, dataDir }: Config, { local, demoKey }: Started) {
  return {
    site: `${baseUrl}/`,
    api: `${baseUrl}/api/articles`,
    documentation: `${baseUrl}/api/docs`,
    ...(baseUrl !== local && { listening_on: local }),
    ...(demoKey !== undefined && { demo_key: demoKey, demo_data: dataDir }),
  };
}

const PRIVATE_NETWORK_ALLOWED =
  "ALLOW_PRIVATE_NETWORK is true: outbound requests also go to this computer and its network";

function banner(config: Config, started: Started): string {
  const { site, api, documentation, demo_data } = facts(config, started);
  const { local, demoKey } = started;
  const lines = [
    "",
    "Inkstone is ready.",
    `  Site           ${site}`,
    `  API            ${api}`,
    `  Documentation  ${documentation}`,
    ...(config.baseUrl === local ? [] : [`  Listening on   ${local}`]),
    ...(config.allowPrivateNetwork ? [`  Attention      ${PRIVATE_NETWORK_ALLOWED}`] : []),
  ];
  if (demoKey === undefined) return [...lines, ""].join("\n");
  const article = { title: "Hello", body_markdown: "My first article.", published: true };
  const demo = [
    `  Demo data      ${demo_data}`,
    `  Demo key       ${demoKey}`,
    `  Search         curl "${local}/api/articles/search?q=tomatoes"`,
    `  Publish        curl "${local}/api/articles" -H "api-key: ${demoKey}" \\`,
    `                   -H "content-type: application/json" -d '${JSON.stringify({ article })}'`,
  ];
  return [...lines, ...demo, ""].join("\n");
}
