import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { netFor } from "../../../test/net.ts";
import { feedHost, following, podcastFeed } from "../../../test/feeds.ts";
import { createResolve } from "../../platform/net/resolving.ts";
import { checkDue } from "./media-checks.ts";
import { refreshDue } from "./refreshing.ts";

const there = feedHost();
const here = following();

test("the names of the hosts of feeds are looked up one at a time, and those of recordings too", async () => {
  const { port } = new URL(there.at("/"));
  let [running, most] = [0, 0];
  const resolve = createResolve(async () => {
    most = Math.max(most, ++running);
    await sleep(50);
    running -= 1;
    return [{ address: "127.0.0.1", family: 4 }];
  });
  const net = netFor({ resolve, allowPrivateNetwork: true });
  const { db, services, context } = here.world;
  for (const name of ["one", "other"]) {
    const host = `http://${name}.example:${port}`;
    there.put(`/${name}`, { body: podcastFeed({ items: [{ title: name, media: `${host}/${name}.mp3` }] }) });
    there.put(`/${name}.mp3`, { body: "x" });
    await here.world.podcast({ slug: name, feed_url: `${host}/${name}` });
  }
  here.later(2);
  const round = { db, now: context.now, signal: new AbortController().signal };
  await refreshDue({ ...round, outside: { ...services, net } });
  here.later(2);
  expect([await checkDue({ ...round, net }), most]).toEqual([2, 1]);
});
