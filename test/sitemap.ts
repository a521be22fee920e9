import { expect } from "vitest";
import { BASE_URL, type World } from "./world.ts";
import { parseXml, textOf } from "./xml.ts";

/** Each address of a sitemap or an index with when it was changed. */
export async function addressesIn(
  world: World,
  url: string,
): Promise<(readonly [string, string | undefined])[]> {
  const { status, text, headers } = await world.get(url);
  expect([url, status, headers["content-type"]]).toEqual([url, 200, "application/xml; charset=utf-8"]);
  const root = parseXml(text);
  expect(root.attributes["xmlns"]).toBe("http://www.sitemaps.org/schemas/sitemap/0.9");
  return root.children.map((child) => {
    const address = textOf(child, "loc") ?? "";
    expect(address.startsWith(`${BASE_URL}/`)).toBe(true);
    return [address.slice(BASE_URL.length), textOf(child, "lastmod")] as const;
  });
}
