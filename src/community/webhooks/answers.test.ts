import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { deliveringForEach, HOUR, SECOND, START } from "../../../test/events.ts";
import { verify } from "../../../test/webhooks.ts";

const site = deliveringForEach();

describe("a delivery", () => {
  test("is one POST of the payload, signed, as the public package verifies", async () => {
    await site.queue();
    await site.hooks.deliver();
    const delivery = await site.only();
    expect(site.receiver.received).toHaveLength(1);
    const [request] = site.receiver.received;
    expect([request?.path, request?.body]).toEqual(["/hook?a=1", delivery.payload]);
    expect(request?.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": expect.stringMatching(/^Inkstone\/\d/) as string,
      "webhook-id": delivery.webhook_id,
      "webhook-timestamp": String(START.getTime() / SECOND),
    });
    expect(request && verify(request, site.endpoint.secret, site.now)).toEqual(JSON.parse(delivery.payload));
    expect(delivery).toMatchObject({
      state: "delivered",
      attempts: 1,
      response_status: 204,
      response_beginning: null,
      failure: null,
      next_attempt_at: null,
      finished_at: site.now,
      lease: null,
      leased_until: null,
    });
  });

  test("is claimed by no process while there is nothing due", async () => {
    await site.hooks.deliver();
    await site.queue();
    site.pass(-SECOND);
    await site.hooks.deliver();
    expect(site.receiver.received).toEqual([]);
  });

  test("keeps the beginning of what it is answered, as far as that can be stored", async () => {
    site.receiver.answerWith((response) => void response.end(`\0A${"é".repeat(40_000)}`));
    await site.queue();
    await site.hooks.deliver();
    const { response_beginning: kept, state } = await site.only();
    expect([state, kept?.slice(0, 3)]).toEqual(["delivered", "\u{FFFD}Aé"]);
    expect(kept).toMatch(/^\u{FFFD}Aé{8000,}$/u);
    expect(Buffer.byteLength(kept ?? "")).toBeLessThanOrEqual(16 * 1_024);
  });

  test("that is answered without end is read no further than 64 KiB", async () => {
    let isClosed = false;
    site.receiver.answerWith((response) => {
      response.on("close", () => (isClosed = true));
      const more = () => {
        while (!response.closed && response.write("x".repeat(4_096)));
      };
      response.on("drain", more);
      more();
    });
    await site.queue();
    await site.hooks.deliver();
    expect((await site.only()).state).toBe("delivered");
    await expect.poll(() => isClosed).toBe(true);
  });
});

describe("an answer", () => {
  test.each([200, 201, 202, 204, 299])("of status %i is a success", async (status) => {
    site.receiver.answerWith((response) => void response.writeHead(status).end());
    await site.queue();
    await site.hooks.deliver();
    expect(await site.only()).toMatchObject({ state: "delivered", attempts: 1, response_status: status });
  });

  test.each([300, 301, 302, 304, 307, 308, 400, 401, 404, 422, 429, 500, 502, 503, 504])(
    "of status %i is a failure that is tried again, and no redirect is followed",
    async (status) => {
      site.receiver.answerWith(
        (response) => void response.writeHead(status, { location: `${site.receiver.url}/b` }).end(),
      );
      await site.queue();
      await site.hooks.deliver();
      expect(await site.only()).toMatchObject({
        state: "pending",
        attempts: 1,
        response_status: status,
        failure: expect.stringContaining(`The endpoint responded with status ${status}`) as string,
      });
      expect([await site.dueIn(), site.receiver.received.length]).toEqual([5, 1]);
    },
  );

  test("of status 410 disables the endpoint at once, and its owner is notified", async () => {
    site.receiver.answerWith((response) => void response.writeHead(410).end());
    await site.queue();
    site.pass(SECOND);
    await site.queue();
    await site.hooks.deliver();
    const states = (await site.hooks.shown(site.endpoint)).map(({ state }) => state);
    expect(states).toEqual(["failed", "failed"]);
    expect(await site.hooks.find(site.endpoint)).toMatchObject({
      disabled_at: site.now,
      disabled_reason: "The endpoint responded with status 410 (Gone).",
    });
    expect(await site.toldOf(site.ada)).toEqual(["webhook_disabled"]);
  });

  test.each([
    [429, "90", 90],
    [503, "90", 90],
    [503, new Date(START.getTime() + 2 * HOUR).toUTCString(), 7_200],
    [429, "1", 5],
    [429, "999999", 86_400],
    [429, "tomorrow", 5],
    [500, "90", 5],
  ])("of status %i with Retry-After %s is waited for, %i seconds", async (status, header, seconds) => {
    site.receiver.answerWith((response) => void response.writeHead(status, { "retry-after": header }).end());
    await site.queue();
    await site.hooks.deliver();
    expect(await site.dueIn()).toBe(seconds);
  });

  const BODIES: [string, (response: ServerResponse, status: number, headers: object) => void][] = [
    [
      "packed in a way that isn't known",
      (response, status, headers) =>
        void response.writeHead(status, { ...headers, "content-encoding": "zstd" }).end("(packed)"),
    ],
    [
      "packed wrongly",
      (response, status, headers) =>
        void response.writeHead(status, { ...headers, "content-encoding": "gzip" }).end("no gzip"),
    ],
    [
      "cut off",
      (response, status, headers) => {
        response.writeHead(status, { ...headers, "content-length": 100 }).write("Begun");
        setTimeout(() => response.destroy(), 50);
      },
    ],
  ];

  test.each(BODIES)("whose body is %s is judged by its status", async (_, send) => {
    site.receiver.answerWith((response) => send(response, 200, {}));
    const busy = await site.hooks.endpoint(site.ada, { target_url: `${site.receiver.url}/busy` });
    await site.queue();
    await site.hooks.deliver();
    expect(await site.only()).toMatchObject({ state: "delivered", response_status: 200, failure: null });
    site.receiver.answerWith((response) => send(response, 429, { "retry-after": "90" }));
    await site.queue(busy);
    await site.hooks.deliver();
    expect(await site.only(busy)).toMatchObject({
      response_status: 429,
      next_attempt_at: new Date(START.getTime() + 90 * SECOND),
    });
    site.receiver.answerWith((response) => send(response, 410, {}));
    await site.queue();
    await site.hooks.deliver();
    expect((await site.hooks.find(site.endpoint)).disabled_at).toEqual(site.now);
  });

  test("is asked for as it is, not packed", async () => {
    await site.queue();
    await site.hooks.deliver();
    expect(site.receiver.received[0]?.headers["accept-encoding"]).toBe("identity");
  });

  test("is counted as a success or a failure", async () => {
    const counted: string[] = [];
    const metrics = { noteDelivery: (result: string) => void counted.push(result) };
    for (const status of [200, 500, 410]) {
      site.receiver.answerWith((response) => void response.writeHead(status).end());
      await site.queue();
      await site.hooks.deliver({ metrics });
    }
    expect(counted).toEqual(["delivered", "failed", "failed"]);
  });

  test("that never comes is given up, for any reason, in a sentence without what was connected to", async () => {
    const nowhere = await site.hooks.endpoint(site.ada, { target_url: "http://nowhere.invalid/" });
    await site.queue(nowhere);
    site.receiver.answerWith((response) => void response.destroy());
    await site.queue();
    await site.hooks.deliver();
    expect(await site.only(nowhere)).toMatchObject({
      state: "pending",
      attempts: 1,
      response_status: null,
      failure: expect.stringContaining("nowhere.invalid") as string,
    });
    expect(await site.only()).toMatchObject({ state: "pending", response_status: null });
  });
});
