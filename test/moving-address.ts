import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** An address that leads to one server of this computer, and after a failover to another. */
export interface MovingAddress {
  /** The address of a server, by this one. */
  of(url: string): string;
  /** Leads to another port from now on, or to none; open connections end. */
  lead(to: number | undefined): void;
  close(): Promise<void>;
}

export async function openAddress(port: number): Promise<MovingAddress> {
  const sockets = new Set<Socket>();
  let target: number | undefined = port;
  const server = createServer((client) => {
    if (target === undefined) {
      client.destroy();
      return;
    }
    const upstream = connect(target, "127.0.0.1");
    for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(from);
      from.on("error", () => {}).on("close", () => void (sockets.delete(from), to.destroy()));
      from.pipe(to);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const own = (server.address() as AddressInfo).port;
  const endAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    of: (url) => Object.assign(new URL(url), { port: own }).href,
    lead(to) {
      target = to;
      endAll();
    },
    async close() {
      server.close();
      endAll();
      await once(server, "close");
    },
  };
}
