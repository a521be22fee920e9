import { expect } from "vitest";
import type { World } from "./world.ts";

/** The figures of a scrape, by name with labels. */
export async function scrape(world: World): Promise<Map<string, number>> {
  const { status, text } = await world.get("/metrics");
  expect(status).toBe(200);
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}
