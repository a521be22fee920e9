import { afterAll, beforeAll, expect, test } from "vitest";
import { IS_LONG } from "../../../test/setup.ts";
import { openAddress, type Standby, type Standbys, startStandbys } from "../../../test/standbys.ts";
import { until } from "../../../test/waiting.ts";
import { loadedSearch } from "../../../test/searching.ts";
import { startWorld } from "../../../test/world.ts";

let servers: Standbys;
beforeAll(async () => {
  servers = await startStandbys();
});
afterAll(() => servers.stop());

test.runIf(IS_LONG)(
  "after a failover that lost transactions, searches find what is there, and nothing else",
  async () => {
    const [promoted, other] = servers.standbys as [Standby, Standby];
    const address = await openAddress(servers.primary.port);
    const { url, superuserUrl } = servers.primary;
    const primary = { ...servers.primary, url: address.of(url), superuserUrl: address.of(superuserUrl) };
    const world = await startWorld({
      standbys: { ...servers, primary, standbys: [other] },
      config: { searchMemoryBytes: 32 * 1024 * 1024 },
    });
    const { searchMemory, fragments } = world.services;
    const key = await world.key(await world.user({ username: "ada" }));
    const write = async (word: string) => {
      const article = { title: `On ${word}`, body_markdown: "Words.", published: true };
      return world.request({ method: "POST", url: "/api/articles", key, body: { article } });
    };
    const found = async (q: string, by?: string) => {
      const { body, headers } = await world.get(`/api/articles/search?q=${q}`, { key: by });
      const ids = Array.isArray(body) ? body.map(({ id }: { id: number }) => id) : body;
      return headers["x-search-match"] === "exact" ? ids : [];
    };
    const nameOf = (name: string, at: number) => `${name}${String.fromCodePoint(97 + at)}${"q".repeat(at)}`;

    const kept = await write("keptword");
    await world.loadSearch();
    await promoted.catchUp();
    await promoted.cutOff();
    for (let at = 0; at < 25; at++) expect((await write(nameOf("lost", at))).status).toBe(201);
    expect(await found(nameOf("lost", 24))).toHaveLength(1);
    fragments.set("of the former timeline", { json: Buffer.from(""), digest: "" });

    await servers.primary.kill();
    await promoted.promote();
    address.lead(promoted.port);
    await until(async () => (await write("firstword")).status === 201);
    for (let at = 0; at < 10; at++) {
      const word = nameOf("later", at);
      const { status, body } = await write(word);
      const { id } = body as { id: number };
      expect([status, await found(word), await found(word, key)]).toEqual([201, [id], [id]]);
    }
    expect(await found("keptword")).toEqual([(kept.body as { id: number }).id]);
    for (const at of [3, 24]) expect(await found(nameOf("lost", at))).toEqual([]);
    expect(fragments.get("of the former timeline")).toBe(undefined);
    expect((await loadedSearch(searchMemory, world.db)).isWhole).toBe(true);
    await world.stop();
    await address.close();
  },
);
