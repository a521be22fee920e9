import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { netFor } from "../../test/elsewhere.ts";
import { type NameServer, startNameServer } from "../../test/name-server.ts";
import { wire } from "../../test/wire.ts";
import { FetchFailure } from "./failure.ts";

const PUBLIC = "93.184.216.34";
const HERE = "127.0.0.1";
const MAPPED = "0:0:0:0:0:ffff:7f00:1";

/** The answers to questions for names of this sort; `nth` counts the questions for one name and family. */
const SORTS: Record<string, (nth: number, family: 4 | 6) => string[]> = {
  "first-public": (nth, family) => (family === 6 ? [] : nth === 0 ? [PUBLIC] : [HERE]),
  "first-private": (nth, family) => (family === 6 ? [] : nth === 0 ? [HERE] : [PUBLIC]),
  both: (_, family) => (family === 6 ? [] : [PUBLIC, HERE]),
  "both-turned": (_, family) => (family === 6 ? [] : [HERE, PUBLIC]),
  "other-family": (_, family) => (family === 6 ? ["0:0:0:0:0:0:0:1"] : [PUBLIC]),
  mapped: (_, family) => (family === 6 ? [MAPPED] : []),
  "then-mapped": (nth, family) => (family === 4 ? [PUBLIC] : nth === 0 ? [] : [MAPPED]),
  any: () => [HERE],
};

const canary = createServer();
let bytes = 0;
let connections = 0;
let port = 0;
let names: NameServer;

beforeAll(async () => {
  canary.on("connection", (socket) => {
    connections += 1;
    socket.on("data", (data) => (bytes += data.length)).on("error", () => undefined);
    socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi");
  });
  canary.listen(0, "::");
  await once(canary, "listening");
  port = (canary.address() as AddressInfo).port;
  const asked = new Map<string, number>();
  names = await startNameServer((name, family) => {
    const nth = asked.get(`${name} ${family}`) ?? 0;
    asked.set(`${name} ${family}`, nth + 1);
    const sort = name.replace(/^\d+\./, "").replace(/\.example$/, "");
    return sort === "any" && family === 6 ? [] : (SORTS[sort]?.(nth, family) ?? []);
  });
});
afterAll(async () => {
  await names.stop();
  canary.close();
});

const TRIES = 1_000;
const AT_ONCE = 20;

describe("a name server that changes its answer", () => {
  test(`gets no byte to this computer in ${TRIES} tries`, async () => {
    const unwire = wire(() => false);
    const net = netFor({
      allowPrivateNetwork: false,
      outboundPorts: [port],
      resolve: names.resolve,
    });
    const sorts = Object.keys(SORTS);
    let next = 0;
    let failures = 0;
    const tryOn = async () => {
      for (let number = next++; number < TRIES; number = next++) {
        // Each name is tried twice: what was learned at first is of no use later.
        const name = `${Math.floor(number / (2 * sorts.length))}.${sorts[number % sorts.length]}.example`;
        const options = { maxBytes: 1_000, timeoutMs: 20_000, maxRedirects: 3 };
        const error = await net.request(`http://${name}:${port}/`, options).catch((error: unknown) => error);
        if (error instanceof FetchFailure) failures += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, tryOn));
    unwire();
    expect({ failures, connections, bytes }).toEqual({ failures: TRIES, connections: 0, bytes: 0 });
    expect(names.questions()).toBe(2 * TRIES);
  });

  test("is believed where the private network is allowed, so the canary does listen", async () => {
    const net = netFor({ resolve: names.resolve });
    const options = { maxBytes: 1_000, timeoutMs: 20_000, maxRedirects: 0 };
    const answer = await net.request(`http://0.any.example:${port}/`, options);
    expect(String(answer.body)).toBe("hi");
    expect(bytes).toBeGreaterThan(0);
  });
});
