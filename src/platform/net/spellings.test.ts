import { createServer } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ask, failureOf, netFor, wire } from "../../../test/net.ts";
import { parseUrl } from "../text/urls.ts";

/** Ways to write an address of this computer or its network, or a name that stands for one. */
const HOSTS = `
  127.0.0.1 127.0.0.1. 127.1 127.1. 127.0.1 127.000.000.001 127.255.255.254 127.0.0.2 2130706433 2130706433.
  017700000001 0177.0.0.1 0177.0.0.01 0177.1 00000177.0.0.1 0x7f000001 0x7F000001 0x7f.0.0.1 0x7f.1 0x7f.0x0.0x0.0x1
  0x7f.0.1 0x0000007f.1 127.0x1 127.0.0x1 0177.0x0.0.1 0 0. 0.0.0.0 0.0 0x0 00 0.0.0.1 1 255.255.255.255 4294967295
  0xffffffff 10.0.0.1 10.1 167772161 0xa000001 012.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 0xac.0x10.0.1
  172.16.1 192.168.0.1 192.168.1 3232235521 0xc0a80001 0300.0250.0.1 192.0xa8.1 169.254.169.254 169.254.43518
  2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.169.254. 169.0376.169.0xfe 100.64.0.1 100.100.100.200
  100.127.255.254 198.18.0.1 198.19.255.255 192.0.0.192 192.0.2.1 198.51.100.1 203.0.113.9 192.88.99.1 224.0.0.1
  239.255.255.250 240.0.0.1 168.63.129.16
  [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0001] [0::1] [::] [0:0:0:0:0:0:0:0] [::0.0.0.1]
  [::127.0.0.1] [::7f00:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:7F00:0001] [0:0:0:0:0:ffff:127.0.0.1]
  [0:0:0:0:0:ffff:7f00:1] [::ffff:10.0.0.1] [::ffff:a00:1] [::ffff:192.168.0.1] [::ffff:c0a8:1]
  [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [::ffff:0.0.0.0] [::ffff:0:127.0.0.1] [::ffff:0:7f00:1]
  [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe] [64:ff9b::10.0.0.1] [64:ff9b:1::1]
  [2002:7f00:1::] [2002:7f00:0001::1] [2002:a00:1::] [2002:c0a8:0101::1] [2002:a9fe:a9fe::] [2001::1]
  [2001:0:7f00:1::] [2001:db8::1] [2001:10::1] [100::1] [fc00::1] [fd00::1] [fd00:ec2::254] [fdff:ffff::1] [fe80::1]
  [febf::1] [fec0::1] [ff02::1] [ff0e::1] [3fff::1] [5f00::1] [::5efe:127.0.0.1] [fe80::5efe:127.0.0.1]
  ①②⑦.⓪.⓪.① １２７.０.０.１ １２７。０。０。１ 127。0。0。1 127．0．0．1 127｡0｡0｡1 ⑯⑨.254.⑯⑨.254 ０x7f.1 𝟏𝟐𝟕.𝟎.𝟎.𝟏 ②①③⓪⑦⓪⑥④③③ [::①]
  12７.0.0.1 %31%32%37.0.0.1 127%2e0%2e0%2e1 %30x7f.1
  localhost localhost. LOCALHOST LocalHost ⓛⓞⓒⓐⓛⓗⓞⓢⓣ ｌｏｃａｌｈｏｓｔ l%6fcalhost loca­lhost localhost。 a.localhost
  a.b.localhost. localhost.localdomain metadata.google.internal metadata.google.internal. METADATA.GOOGLE.INTERNAL
  ｍetadata.google.internal db.internal. internal host.docker.internal kubernetes.default.svc.cluster.local printer.local
  printer.LOCAL. local router.home.arpa 1.0.0.127.in-addr.arpa`
  .trim()
  .split(/\s+/);

/** Names that resolve to what is given. */
const RESOLVED: Record<string, string[]> = {
  "a.example": ["127.0.0.1"],
  "b.example": ["93.184.216.34", "10.0.0.1"],
  "c.example": ["::1", "93.184.216.34"],
  "d.example": ["::ffff:127.0.0.1"],
  "e.example": ["2606:4700::1111", "64:ff9b::169.254.169.254"],
  "f.example": ["fe80::1%eth0"],
  "g.example": ["0.0.0.0"],
  "127.0.0.1.nip.example": ["127.0.0.1"],
};

/** Would be reached if one of them were let through: it listens where everything of this computer arrives. */
const canary = createServer();
let connections = 0;
let port = 0;
canary.on("connection", (socket) => {
  connections += 1;
  socket.destroy();
});
beforeAll(async () => {
  canary.listen(0, "::");
  await once(canary, "listening");
  port = (canary.address() as { port: number }).port;
});
afterAll(() => void canary.close());
// If a check fails, the request reaches only the canary.
beforeEach(() => wire(() => true));

const strict = () =>
  netFor({
    allowPrivateNetwork: false,
    outboundPorts: [port],
    resolve: async (name) =>
      (RESOLVED[name] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
  });

describe("the table of spellings", () => {
  test("has many of them, none twice", () => {
    expect(HOSTS.length).toBeGreaterThan(150);
    expect(new Set(HOSTS).size).toBe(HOSTS.length);
  });

  test.each([...HOSTS, ...Object.keys(RESOLVED)])("http://%s/ is refused", async (host) => {
    const { kind, message } = await failureOf(strict(), `http://${host}:${port}/`);
    // What URL itself refuses never gets as far as a judgement.
    expect(kind).toBe(parseUrl(`http://${host}:${port}/`) ? "address" : "url");
    expect(message).not.toMatch(/\d/);
    expect(connections).toBe(0);
  });
});

test.each([
  ["http://[fe80::1%eth0]/", "This is not a web address."],
  ["http://[fe80::1%25eth0]/", "This is not a web address."],
  ["http://1.2.3.4.5/", "This is not a web address."],
  ["http://256.256.256.256/", "This is not a web address."],
  ["http:///", "This is not a web address."],
  ["//example.com/", "This is not a web address."],
  ["", "This is not a web address."],
  ["ftp://example.com/", "A web address must start with http:// or https://."],
  ["file:///etc/passwd", "A web address must start with http:// or https://."],
  ["data:text/plain,hello", "A web address must start with http:// or https://."],
  ["http://user@example.com/", "A web address must not hold a user name or password."],
  ["http://:secret@example.com/", "A web address must not hold a user name or password."],
  ["http://example.com@127.0.0.1/", "A web address must not hold a user name or password."],
  ["http://example.com:22/", "Port 22 isn't fetched from: it must be 80 or 443."],
])("%s is refused as an address", async (url, message) => {
  const names: string[] = [];
  const net = netFor({ allowPrivateNetwork: false, resolve: async (name) => (names.push(name), []) });
  expect(await failureOf(net, url)).toEqual({ kind: "url", message });
  expect(names).toEqual([]);
});

test("https alone is taken where that is asked for", async () => {
  expect(await failureOf(strict(), "http://a.example/", { httpsOnly: true })).toEqual({
    kind: "url",
    message: "A web address must start with https://.",
  });
});

test("only the allowance lets anybody in", async () => {
  const net = netFor({ allowPrivateNetwork: true });
  const url = `http://127.0.0.1:${port}/`;
  await expect(ask(net, url, { httpsOnly: true })).rejects.toMatchObject({ kind: "unreachable" });
  expect(connections).toBe(1);
  expect(await failureOf(net, `http://user:word@127.0.0.1:${port}/`)).toMatchObject({ kind: "url" });
  expect(connections).toBe(1);
});
