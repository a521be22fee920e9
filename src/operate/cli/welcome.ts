import type { FastifyBaseLogger } from "fastify";
import type { Access } from "../workers/messages.ts";
import { type Config, typed } from "../../platform/config.ts";
import { LINK_MINUTES } from "../../community/users/one-time-links.ts";
import { print } from "./output.ts";

export interface Started {
  local: string;
  access: Access;
}

/** Writes lines to read and copy in a terminal; elsewhere one line of the log, which programs read. */
export function announce(log: FastifyBaseLogger, config: Config, started: Started): void {
  if (config.logFormat === "text" && process.stdout.isTTY) return print(banner(config, started));
  if (config.allowPrivateNetwork) log.warn(PRIVATE_NETWORK_ALLOWED);
  log.info(facts(config, started), "Inkstone is ready.");
}

function facts({ baseUrl, dataDir }: Config, { local, access }: Started) {
  const { demoKey, setUpPath, signInPaths } = access;
  return {
    site: `${baseUrl}/`,
    api: `${baseUrl}/api/articles`,
    documentation: `${baseUrl}/api/docs`,
    ...(baseUrl !== local && { listening_on: local }),
    ...(demoKey !== undefined && { demo_key: demoKey, demo_data: dataDir }),
    ...(setUpPath !== undefined && { set_up: baseUrl + setUpPath }),
    ...(signInPaths && { sign_in: signInPaths.map(({ path }) => baseUrl + path) }),
  };
}

const PRIVATE_NETWORK_ALLOWED =
  "ALLOW_PRIVATE_NETWORK is true: outbound requests also go to this computer and its network";

function banner(config: Config, started: Started): string {
  const { site, api, documentation, demo_data } = facts(config, started);
  const { local, access } = started;
  const { demoKey, setUpPath, signInPaths = [] } = access;
  const lines = [
    "",
    "Inkstone is ready.",
    `  Site           ${site}`,
    `  API            ${api}`,
    `  Documentation  ${documentation}`,
    ...(config.baseUrl === local ? [] : [`  Listening on   ${local}`]),
    ...(config.allowPrivateNetwork ? [`  Attention      ${PRIVATE_NETWORK_ALLOWED}`] : []),
  ];
  if (setUpPath !== undefined)
    lines.push(`  Finish set-up  ${config.baseUrl}${setUpPath} (once, ${LINK_MINUTES} minutes)`);
  if (demoKey === undefined) return [...lines, ""].join("\n");
  const article = { title: "Hello", body_markdown: "My first article.", published: true };
  const demo = [
    `  Demo data      ${demo_data}`,
    `  Demo key       ${demoKey}`,
    ...signInPaths.map(({ path, username, role }, index) => {
      const label = index === 0 ? "Sign in" : "";
      const note = index === 0 ? ` (once, ${LINK_MINUTES} minutes)` : "";
      return `  ${label.padEnd(15)}${config.baseUrl}${path} as ${username}, ${role}${note}`;
    }),
    `  More links     ${typed(`user sign-in-link ${signInPaths.at(-1)?.username}`, ["DATA_DIR", "BASE_URL", "PORT"])}`,
    `  Search         curl "${local}/api/articles/search?q=tomatoes"`,
    `  Publish        curl "${local}/api/articles" -H "api-key: ${demoKey}" \\`,
    `                   -H "content-type: application/json" -d '${JSON.stringify({ article })}'`,
  ];
  return [...lines, ...demo, ""].join("\n");
}
