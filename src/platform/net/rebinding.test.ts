import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { netFor, wire } from "../../../test/net.ts";
import { FetchFailure } from "./failure.ts";
import type { Resolve } from "./resolving.ts";

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

type Family = 4 | 6;

interface NameServer {
  /** Asks this server and no other, for both families. */
  resolve: Resolve;
  questions: () => number;
  stop: () => Promise<void>;
}

/** A name server of one's own, which may answer the same question differently each time; nothing may be kept. */
async function startNameServer(answer: (name: string, family: Family) => string[]): Promise<NameServer> {
  const socket = createSocket("udp4");
  let questions = 0;
  socket.on("message", (query, from) => {
    questions += 1;
    socket.send(reply(query, answer), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const resolver = new Resolver({ timeout: 15_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    async resolve(name) {
      const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      return found.flatMap((result, index) =>
        result.status === "fulfilled"
          ? result.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
          : [],
      );
    },
    questions: () => questions,
    async stop() {
      resolver.cancel();
      socket.close();
      await once(socket, "close");
    },
  };
}

const HEAD_BYTES = 12;

function reply(query: Buffer, answer: (name: string, family: Family) => string[]): Buffer {
  const { name, end } = readName(query);
  const type = query.readUInt16BE(end);
  const addresses = answer(name, type === 1 ? 4 : 6);
  const head = Buffer.from(query.subarray(0, HEAD_BYTES));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt16BE(0, 10);
  return Buffer.concat([
    head,
    query.subarray(HEAD_BYTES, end + 4),
    ...addresses.map((address) => record(type, type === 1 ? bytes4(address) : bytes6(address))),
  ]);
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEAD_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join("."), end: at + 1 };
}

/** Points at the name in the question, and is to be forgotten at once. */
function record(type: number, address: Buffer): Buffer {
  const head = Buffer.from([0xc0, HEAD_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length]);
  return Buffer.concat([head, address]);
}

function bytes4(address: string): Buffer {
  return Buffer.from(address.split(".").map(Number));
}

/** Written in full, with eight groups. */
function bytes6(address: string): Buffer {
  return Buffer.from(
    address
      .split(":")
      .map((group) => group.padStart(4, "0"))
      .join(""),
    "hex",
  );
}
