import { expect, test } from "vitest";
import { startWorld, type World } from "../../../test/world.ts";
import { buildApp } from "../../app.ts";
import { unavailable } from "../../platform/errors.ts";

const HTML = { headers: { accept: "text/html,*/*;q=0.8" } };

/** A world that counts what is rendered, and whose worker fails at first. */
async function startCounting() {
  let renders = 0;
  let isBroken = true;
  const world = await startWorld({
    build: (context, services) => {
      const { renderPool } = services;
      const render: typeof renderPool.render = async (markdown, options) => {
        renders++;
        if (isBroken) throw unavailable();
        return renderPool.render(markdown, options);
      };
      return buildApp(context, { ...services, renderPool: { ...renderPool, render } });
    },
  });
  return { world, renders: () => renders, repair: () => void (isBroken = false) };
}

async function readAgain(world: World, url: string): Promise<number> {
  await world.forget();
  return (await world.get(url, HTML)).status;
}

test.each(["/api/docs", "/api/docs/articles", "/api/docs/articles/getArticles"])(
  "%s is rendered once, however often it is read, and tried again when that fails",
  async (url) => {
    const { world, renders, repair } = await startCounting();
    expect([await readAgain(world, url), await readAgain(world, url), renders()]).toEqual([503, 503, 2]);
    repair();
    expect([await readAgain(world, url), await readAgain(world, url), renders()]).toEqual([200, 200, 3]);
    await world.stop();
  },
);
