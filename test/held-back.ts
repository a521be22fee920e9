import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { expect } from "vitest";
import type { Call, World } from "./world.ts";

/** Sends requests over sockets whose last byte waits until a test lets it go. */
export async function startHoldingBack(world: World) {
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = world.app.server.address() as AddressInfo;

  /** Sends all but the last byte, and waits until the server has read the key, which was never used before. */
  return async function holdBack(call: Call & { key: string }, keyId: number) {
    const bytes = bytesOf(call);
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    const closed = once(socket, "close");
    socket.write(bytes.subarray(0, -1));
    await expect.poll(() => wasUsed(world, keyId), { interval: 5 }).toBe(true);
    return {
      /** Sends the last byte and gives the answer. */
      async finish() {
        socket.write(bytes.subarray(-1));
        await closed;
        const [head = "", body = ""] = text.split("\r\n\r\n");
        return { status: Number(head.split(" ")[1]), head, body };
      },
    };
  };
}

async function wasUsed({ db }: World, keyId: number): Promise<boolean> {
  const row = db.selectFrom("api_keys").select("last_used_at").where("id", "=", keyId);
  return (await row.executeTakeFirstOrThrow()).last_used_at !== null;
}

/** The request as it goes over the wire. Also one that needs no body has one, so that it can be held back. */
function bytesOf({ method = "GET", url, key, headers = {}, body = {} }: Call): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const all: Record<string, string | number> = {
    host: "x",
    connection: "close",
    "api-key": key ?? "",
    "content-type": "application/json",
    ...headers,
    "content-length": bytes.length,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([Buffer.from([`${method} ${url} HTTP/1.1`, ...lines, "", ""].join("\r\n")), bytes]);
}
