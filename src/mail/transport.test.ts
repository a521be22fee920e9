import { afterEach, describe, expect, test } from "vitest";
import { FROM, mailServerAt, PASSWORD, startBrokenServer, startMailServer } from "../../test/mail-server.ts";
import { PATIENCE_MS } from "../../test/setup.ts";
import { createTransport, type Message, type Outcome } from "./transport.ts";

const MAIL: Message = {
  id: "0b7e9a52-5a0e-4f6b-9d55-0c5c2f6a7d11",
  to: "lena@example.com",
  from: FROM,
  subject: "A subject",
  text: "A text",
  html: "<p>A text</p>",
};
const LOGIN = `site%40example.org:${encodeURIComponent(PASSWORD)}@`;

const opened: { stop(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.stop();
});

async function open<Opened extends { stop(): Promise<unknown> }>(server: Promise<Opened>): Promise<Opened> {
  const started = await server;
  opened.push(started);
  return started;
}

async function send(url: string, mails: Partial<Message>[] = [{}], mailMs = PATIENCE_MS): Promise<Outcome[]> {
  const transport = createTransport(mailServerAt(url), { baseUrl: "https://ink.example", mailMs });
  const outcomes = [];
  for (const mail of mails) outcomes.push(await transport.send({ ...MAIL, ...mail }));
  await transport.close();
  return outcomes;
}

const SENT = { result: "sent", reply: "250 OK: queued" };

describe("a mail goes", () => {
  test("in the clear to a server that offers nothing else", async () => {
    const server = await open(startMailServer());
    expect(await send(`smtp://127.0.0.1:${server.port}`)).toEqual([SENT]);
    const [{ mail, ...envelope } = { mail: undefined }] = server.received;
    expect(envelope).toMatchObject({ to: ["lena@example.com"], isEncrypted: false });
    expect(mail).toMatchObject({
      messageId: "<0b7e9a52-5a0e-4f6b-9d55-0c5c2f6a7d11@ink.example>",
      subject: "A subject",
      from: { text: '"Loom Folk" <hello@loom.example>' },
      to: { text: "lena@example.com" },
      text: "A text",
      html: "<p>A text</p>",
    });
    expect(mail?.headers.get("auto-submitted")).toBe("auto-generated");
    expect(mail?.headers.has("list")).toBe(false);
  });

  test("by STARTTLS where it is offered, and by TLS from the beginning", async () => {
    const [later, first] = [
      await open(startMailServer({ startTls: true })),
      await open(startMailServer({ secure: true })),
    ];
    expect(await send(`smtp://localhost:${later.port}`)).toEqual([SENT]);
    expect(await send(`smtps://127.0.0.1:${first.port}`)).toEqual([SENT]);
    expect([...later.received, ...first.received].map(({ isEncrypted }) => isEncrypted)).toEqual([
      true,
      true,
    ]);
  });

  test("with a password, whose signs are encoded in the address", async () => {
    const server = await open(startMailServer({ startTls: true, auth: true }));
    expect(await send(`smtp://${LOGIN}127.0.0.1:${server.port}`)).toEqual([SENT]);
    expect(server.received[0]?.user).toBe("site@example.org");
  });

  test("with others on one connection", async () => {
    const server = await open(startMailServer());
    const tos = ["a@example.com", "b@example.com", "c@example.com"];
    await send(
      `smtp://127.0.0.1:${server.port}`,
      tos.map((to) => ({ to })),
    );
    expect(server.received.map(({ to, connection }) => [...to, connection])).toEqual(
      tos.map((to) => [to, 1]),
    );
  });

  test("to an address with a Unicode domain, and to one alone whatever it holds", async () => {
    const server = await open(startMailServer());
    const url = `smtp://127.0.0.1:${server.port}`;
    expect(await send(url, [{ to: "lena@bücher.example" }])).toEqual([SENT]);
    expect(server.received[0]?.raw).toContain("\r\nTo: lena@xn--bcher-kva.example\r\n");
    // The server's library shows the domain as people do.
    expect(server.received[0]?.to).toEqual(["lena@bücher.example"]);
    for (const to of [
      "lena@a.example, mo@b.example",
      "lena@a.example\r\nRCPT TO:<mo@b.example>",
      "lena@a.example>",
    ])
      await send(url, [{ to }]);
    expect(server.received.flatMap(({ to }) => to)).not.toContain("mo@b.example");
  });

  test("with the link that turns its kind off", async () => {
    const server = await open(startMailServer());
    await send(`smtp://127.0.0.1:${server.port}`, [{ leave: "https://ink.example/unsubscribe/x" }]);
    expect(server.received[0]?.raw).toMatch(
      /^List-Unsubscribe: <https:\/\/ink\.example\/unsubscribe\/x>\r$/m,
    );
    expect(server.received[0]?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  });
});

describe("no mail goes", () => {
  // 0.0.0.0 leads to this computer, but isn't known to.
  test("with a password to another computer without STARTTLS", async () => {
    const server = await open(startMailServer({ auth: true }));
    const [outcome] = await send(`smtp://${LOGIN}0.0.0.0:${server.port}`);
    expect(outcome).toMatchObject({ result: "unavailable" });
    expect(server.received).toEqual([]);
  });

  test("to another computer whose certificate isn't trusted", async () => {
    const server = await open(startMailServer({ startTls: true }));
    const [outcome] = await send(`smtp://0.0.0.0:${server.port}`);
    expect(outcome).toEqual({ result: "unavailable", reply: expect.stringContaining("certificate") });
    expect(server.received).toEqual([]);
  });

  test("after a wrong password, which a server's reply doesn't show", async () => {
    const server = await open(startMailServer({ auth: true }));
    const [outcome] = await send(`smtp://site%40example.org:wrong-pass@127.0.0.1:${server.port}`);
    expect(outcome).toEqual({ result: "unavailable", reply: expect.stringMatching(/5\.7\.8 Wrong: … …/) });
  });

  test.each([
    ["550", 550, "5.1.1 Nobody here", { result: "refused", reply: "550 5.1.1 Nobody here" }],
    ["451", 451, "4.7.1 Come back", { result: "failed", reply: "451 4.7.1 Come back" }],
  ])("to a recipient that gets %s, while the next one does", async (_, code, text, outcome) => {
    const server = await open(startMailServer());
    server.answerWith((address) => (address.startsWith("lena@") ? [code, text] : undefined));
    const outcomes = await send(`smtp://127.0.0.1:${server.port}`, [{}, { to: "mo@example.com" }]);
    expect(outcomes).toEqual([expect.objectContaining(outcome), SENT]);
  });

  test.each<[string, Parameters<typeof startBrokenServer>[0]]>([
    ["hangs", () => {}],
    ["trickles", (socket) => void setInterval(() => socket.write("220-wait\r\n"), 50).unref()],
  ])("through a server that %s, for longer than a mail may take", async (_, onConnection) => {
    const server = await open(startBrokenServer(onConnection));
    const [outcome] = await send(`smtp://127.0.0.1:${server.port}`, [{}], 400);
    expect(outcome).toEqual({
      result: "unavailable",
      reply: "It took more than 30 seconds, or was stopped.",
    });
  });

  test.each<[string, Parameters<typeof startBrokenServer>[0], RegExp]>([
    ["closes", (socket) => void socket.end(), /clos/],
    ["answers garbage", (socket) => void socket.write("\0\x01 welcome\r\n\r\n"), /greeting/i],
    ["refuses the connection", (socket) => void socket.end("554 5.7.1 Not you\r\n"), /554 5\.7\.1 Not you/],
  ])("through a server that %s, and it is tried again later", async (_, onConnection, reply) => {
    const server = await open(startBrokenServer(onConnection));
    const [outcome] = await send(`smtp://127.0.0.1:${server.port}`);
    expect(outcome).toEqual({ result: "unavailable", reply: expect.stringMatching(reply) });
  });
});
