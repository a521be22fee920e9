import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import type { Resolve } from "../src/net/resolving.ts";

type Family = 4 | 6;

export interface NameServer {
  /** Asks this server and no other, for both families. */
  resolve: Resolve;
  questions: () => number;
  stop: () => Promise<void>;
}

/** A name server of one's own, which may answer the same question differently each time; nothing may be kept. */
export async function startNameServer(
  answer: (name: string, family: Family) => string[],
): Promise<NameServer> {
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
