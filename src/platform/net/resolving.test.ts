import { expect, test } from "vitest";
import { failureOf, netFor } from "../../../test/net.ts";
import { type Address, createResolve } from "./resolving.ts";

/** Look-ups of which each lasts until it is ended, and what comes of them. */
function watch() {
  const begun: string[] = [];
  const ended: string[] = [];
  const ends = new Map<string, (addresses: Address[]) => void>();
  const resolve = createResolve((name) => {
    begun.push(name);
    return new Promise((resolve) => ends.set(name, resolve));
  });
  return {
    begun,
    ended,
    resolve,
    ask(name: string, queueKey: string, signal = new AbortController().signal, timeoutMs = 60_000): void {
      const asked = resolve(name, { queueKey, timeoutMs, signal });
      asked.then(
        () => ended.push(name),
        (error: { kind: string }) => ended.push(`${name} ${error.kind}`),
      );
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.([{ address: "127.0.0.1", family: 4 }]);
      await settled();
    },
  };
}

/** When all that can go on by itself has done so. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test("names without an answer delay only those of their own key", async () => {
  const { begun, ended, ask, end } = watch();
  for (let number = 0; number < 100; number++) ask(`dead-${number}`, "recordings");
  await settled();
  ask("one", "hooks.example");
  ask("other", "ink.example");
  await settled();
  expect(begun).toEqual(["dead-0", "one"]);
  await end("one");
  expect(begun).toEqual(["dead-0", "one", "other"]);
  await end("other");
  expect([begun.length, ended]).toEqual([3, ["one", "other"]]);
  await end("dead-0");
  expect(begun.at(-1)).toBe("dead-1");
});

test("who waits leaves with its own deadline, which isn't the host's fault, and isn't looked up later", async () => {
  const { begun, end, resolve } = watch();
  const net = netFor({ resolve });
  const first = net.request("http://first.example/", {
    maxBytes: 1,
    timeoutMs: 100,
    maxRedirects: 0,
    queueKey: "a",
  });
  const failure = first.catch((error: { kind: string }) => error.kind);
  expect(await failureOf(net, "http://second.example/", { timeoutMs: 100, queueKey: "a" })).toEqual({
    kind: "busy",
    message: "Too many other names had to be looked up first.",
  });
  expect(await failure).toBe("timeout");
  await end("first.example");
  expect(begun).toEqual(["first.example"]);
});

test("a look-up that takes too long is left alone, and keeps its turn until it ends", async () => {
  const { begun, ended, ask, end } = watch();
  ask("slow", "a", undefined, 1);
  ask("slow-too", "b", undefined, 1);
  await expect.poll(() => ended).toEqual(["slow timeout", "slow-too timeout"]);
  ask("next", "c");
  await settled();
  expect(begun).toEqual(["slow", "slow-too"]);
  await end("slow");
  expect(begun).toEqual(["slow", "slow-too", "next"]);
});

test("an aborted lookup stops, whether it waits or not", async () => {
  const { begun, resolve } = watch();
  const net = netFor({ resolve });
  const hosts = ["http://one.example/", "http://other.example/"];
  const failures = Promise.all(hosts.map((url) => failureOf(net, url, { queueKey: "a" })));
  await expect.poll(() => begun).toEqual(["one.example"]);
  await net.close();
  expect(await failures).toMatchObject([{ kind: "stopped" }, { kind: "stopped" }]);
});
