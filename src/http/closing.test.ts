import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serverWith, startWorld, type World } from "../../test/world.ts";
import { closeServer } from "./connections.ts";
import { until } from "../../test/waiting.ts";

let world: World;
let port: number;
let letGo: () => void;
beforeEach(async () => {
  const isLetGo = new Promise<void>((resolve) => (letGo = resolve));
  world = await startWorld({
    build: serverWith((app) => {
      const config = { access: "open" } as const;
      app.get("/api/things", { config }, async () => ({ ok: true }));
      app.get("/api/slow", { config }, async () => {
        await isLetGo;
        return { ok: true };
      });
    }),
  });
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = world.app.server.address() as AddressInfo);
});
afterEach(() => world.stop());

/** Whether the answer was the last of its connection, or the failure. */
async function ask(agent: Agent, path = "/api/things"): Promise<string> {
  try {
    const [answer] = (await once(get({ port, path, agent }), "response")) as [IncomingMessage];
    await once(answer.resume(), "end");
    return answer.headers.connection ?? JSON.stringify(answer.headers);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

/** Asks again and again, with a pause between, until there is no server any more. */
async function keepAsking(agent: Agent, outcomes: string[]): Promise<void> {
  while (outcomes.at(-1) !== "ECONNREFUSED" && outcomes.at(-1) !== "ECONNRESET") {
    outcomes.push(await ask(agent));
    await sleep(Math.random() * 20);
  }
}

test("a server that closes resets no client that keeps its connections", async () => {
  const clients = Array.from({ length: 30 }, (): string[] => []);
  const asking = clients.map((outcomes) =>
    keepAsking(new Agent({ keepAlive: true, maxSockets: 1 }), outcomes),
  );
  await until(() => clients.every((outcomes) => outcomes.length > 2));
  await closeServer(world.app);
  await Promise.all(asking);
  for (const outcomes of clients) {
    // Its connection is used once more, and is closed with that answer.
    expect(outcomes.slice(-3)).toEqual(["keep-alive", "close", "ECONNREFUSED"]);
  }
});

test("an answer that was asked for before says that it is the last one too", async () => {
  const agent = new Agent({ keepAlive: true });
  const answered = ask(agent, "/api/slow");
  await once(world.app.server, "request");
  const closed = closeServer(world.app);
  await sleep(50);
  letGo();
  expect(await answered).toBe("close");
  await closed;
});

test("a connection on which nothing is asked is closed after two seconds", async () => {
  const socket = connect(port, "127.0.0.1").resume();
  await once(socket, "connect");
  const startedAt = performance.now();
  await Promise.all([once(socket, "close"), closeServer(world.app)]);
  expect(performance.now() - startedAt).toBeGreaterThan(1_500);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});
