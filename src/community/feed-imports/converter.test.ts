import { afterAll, describe, expect, test } from "vitest";
import { cases } from "../../../test/setup.ts";
import { createConverter } from "./converter.ts";

const converter = createConverter(cases(1_000, 300));
afterAll(() => converter.close());

const source = (html: string) => ({ html, base: undefined });

describe("a converter", () => {
  test.each([
    ["elements 100,000 deep", "<div>".repeat(100_000)],
    ["tables in tables", "<table><tr><td>".repeat(30_000)],
    ["formatting that crosses", "<a><b><i></a></b>".repeat(30_000)],
    ["a million angle brackets", "<".repeat(1_000_000)],
    ["a cell of a billion columns", "<table><tr><td colspan=1000000000>a</td><td>b</td></tr></table>"],
    ["a list that begins at a billion", `<ol start=${"9".repeat(400)}><li>a</ol>`],
    ["attributes without end", `<p ${'a="b" '.repeat(200_000)}>x</p>`],
    ["white space without end", `<p>${" \n".repeat(500_000)}</p>`],
  ])(
    "answers or refuses %s, and goes on",
    async (_what, html) => {
      const answer = await converter.convert(source(html)).catch((error: unknown) => error);
      if (answer instanceof Error) expect(answer).toMatchObject({ code: "invalid" });
      else expect(answer).toHaveProperty("markdown");
      expect((await converter.convert(source("<p>a</p>"))).markdown).toBe("a");
    },
    60_000,
  );

  test("refuses what breaks it as invalid, and goes on", async () => {
    const broken = { ...source(""), html: 5 as unknown as string };
    await expect(converter.convert(broken)).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(/^Its HTML can't be made into Markdown \(/),
    });
    expect((await converter.convert(source("<p>a</p>"))).markdown).toBe("a");
  });

  test("gives up what takes too long", async () => {
    const hurried = createConverter(1);
    const hostile = hurried.convert(source("<p>a</p>".repeat(20_000)));
    await expect(hostile).rejects.toMatchObject({
      code: "invalid",
      message: "Its HTML takes too long to be made into Markdown",
    });
    await hurried.close();
    await expect(hurried.convert(source("a"))).rejects.toMatchObject({ code: "unavailable" });
  });
});
