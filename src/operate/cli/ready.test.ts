import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandsWith } from "../../../test/commands.ts";

/** Responds to /readyz alone; undefined: never. */
let status: number | undefined;
const server = createServer((request, response) => {
  if (status !== undefined) response.writeHead(request.url === "/readyz" ? status : 404).end("{}");
});
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const portOf = () => (server.address() as AddressInfo).port;
const inkstone = commandsWith(() => ({ HOST: "0.0.0.0", PORT: String(portOf()) }));

test("inkstone ready says that the server at HOST and PORT, or at --url, is ready", async () => {
  status = 200;
  const address = `http://127.0.0.1:${portOf()}`;
  const ready = { code: 0, out: `The server at ${address} is ready.\n`, err: "" };
  expect(await inkstone("ready")).toEqual(ready);
  expect(await inkstone("ready", "--url", address)).toEqual(ready);
});

test("exits with 1 while the server isn't ready, and says why in one line", async () => {
  status = 503;
  expect(await inkstone("ready")).toEqual({
    code: 1,
    out: "",
    err: `inkstone: The server at http://127.0.0.1:${portOf()} isn't ready: /readyz is 503.\n`,
  });
});

test("exits with 1 where nothing listens", async () => {
  const { code, err } = await inkstone("ready", "--url", "http://127.0.0.1:1");
  expect(code).toBe(1);
  expect(err).toMatch(/^inkstone: The server at http:\/\/127\.0\.0\.1:1 isn't ready: [\w ]+\.\n$/);
});

test("exits with 1 when the server doesn't respond in time", async () => {
  status = undefined;
  const { code, err } = await inkstone("ready");
  expect(code).toBe(1);
  expect(err).toMatch(/ isn't ready: it doesn't respond within 5 seconds\.\n$/);
});

test("refuses what isn't an address", async () => {
  const { code, err } = await inkstone("ready", "--url", "localhost:3000");
  expect(code).toBe(2);
  expect(err).toBe(
    'inkstone: --url must be an address like https://community.example, not "localhost:3000". See `inkstone ready --help`.\n',
  );
});
