import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { connectionTo } from "./database.ts";

/** A moment in the talk of one connection: everything in this order, and then the last of it is held. */
export interface Moment {
  /** Texts of statements. */
  statements: readonly string[];
  /** Whether the last statement comes to the database, and only its answer is held. */
  isDone: boolean;
}

/** Stands between a program and its database, and holds one connection at a moment that is waited for. */
export interface DatabaseGate {
  url: string;
  /** Fulfilled when the moment has come, on whichever connection. Nothing else is held. */
  hold(moment: Moment): Promise<void>;
  close(): Promise<void>;
}

export async function openGate(database: string): Promise<DatabaseGate> {
  const sockets = new Set<Socket>();
  let wanted: { moment: Moment; come: () => void } | undefined;

  function relay(client: Socket): void {
    const server = connect(addressOf(database));
    let seen = 0;
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {}).on("close", () => to.destroy());
    }
    server.on("data", (answer) => void client.write(answer));
    client.on("data", (chunk) => {
      const statement = wanted?.moment.statements[seen];
      if (wanted === undefined || statement === undefined || !chunk.includes(statement)) {
        server.write(chunk);
        return;
      }
      seen += 1;
      const isLast = seen === wanted.moment.statements.length;
      if (isLast && wanted.moment.isDone) server.removeAllListeners("data").resume();
      if (!isLast || wanted.moment.isDone) server.write(chunk);
      if (!isLast) return;
      wanted.come();
      wanted = undefined;
    });
  }

  const gate = createServer(relay).listen(0, "127.0.0.1");
  await once(gate, "listening");
  return {
    url: urlThrough((gate.address() as AddressInfo).port, database),
    hold(moment) {
      return new Promise((come) => {
        wanted = { moment, come };
      });
    },
    async close() {
      gate.close();
      for (const socket of sockets) socket.destroy();
      if (gate.listening) await once(gate, "close");
    },
  };
}

/** Stands between a program and its database, and can be closed, opened and held. */
export class Gate {
  readonly #database: string;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  /** What came while it was held. */
  #held: [chunk: Buffer, to: Socket][] | undefined;

  constructor(database: string) {
    this.#database = database;
  }

  get url(): string {
    return urlThrough(this.#port, this.#database);
  }

  async open(): Promise<void> {
    this.#server = createServer((client) => {
      const upstream = connect(addressOf(this.#database));
      for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
        this.#sockets.add(from);
        from.on("error", () => {}).on("close", () => to.destroy());
        from.on("data", (chunk) => void (this.#held ? this.#held.push([chunk, to]) : to.write(chunk)));
      }
    }).listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    if (this.#server?.listening) await once(this.#server, "close");
  }

  /** Lets nothing through, without closing anything. */
  hold(): void {
    this.#held = [];
  }

  /** Whether these texts wait in it, in one piece. */
  holds(...texts: string[]): boolean {
    return this.#held?.some(([chunk]) => texts.every((text) => chunk.includes(text))) ?? false;
  }

  letGo(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const [chunk, to] of held) to.write(chunk);
  }
}

function addressOf(database: string): { host: string; port: number } | { path: string } {
  const { connectionString, host, port } = connectionTo(database);
  if (connectionString === undefined) return { path: `${host}/.s.PGSQL.${port}` };
  const url = new URL(connectionString);
  return { host: url.hostname, port: Number(url.port || 5432) };
}

function urlThrough(port: number, database: string): string {
  const { connectionString, user } = connectionTo(database);
  const url = new URL(connectionString ?? `postgres://${user}@x/${database}`);
  url.host = `127.0.0.1:${port}`;
  return url.href;
}
