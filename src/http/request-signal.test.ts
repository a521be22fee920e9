import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { until } from "../../test/waiting.ts";
import { serverWith, startWorld } from "../../test/world.ts";
import { requestSignal } from "./run-write.ts";

/** Serves routes whose answers wait until the signal of their request aborts. */
async function startWaiting(maxWaitMs?: number) {
  const signals: AbortSignal[] = [];
  let heard = 0;
  const build = serverWith((app) => {
    app.get("/api/wait", { config: { access: "open" } }, async (_request, reply) => {
      const signal = requestSignal(reply, maxWaitMs);
      signals.push(signal);
      heard++;
      if (!signal.aborted) await once(signal, "abort");
      return reply.send("given up");
    });
    app.get("/api/late", { config: { access: "open" } }, async (_request, reply) => {
      heard++;
      await once(reply.raw, "close");
      signals.push(requestSignal(reply));
    });
  });
  const world = await startWorld({ build });
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = world.app.server.address() as AddressInfo;
  /** Asks, and hangs up when the server has heard. */
  async function breakOff(path: string) {
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await until(() => heard > 0);
    socket.destroy();
  }
  const ended = () => signals.map(({ aborted }) => aborted);
  return { world, breakOff, ended };
}

test("the signal of a request aborts after its time", async () => {
  const { world } = await startWaiting(20);
  expect(await world.get("/api/wait")).toMatchObject({ status: 200, text: "given up" });
  await world.stop();
});

test.each(["/api/wait", "/api/late"])(
  "the signal of a request aborts when the client breaks off: %s",
  async (path) => {
    const { world, breakOff, ended } = await startWaiting();
    await breakOff(path);
    await expect.poll(ended).toEqual([true]);
    await world.stop();
  },
);
