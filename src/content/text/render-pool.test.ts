import { execFile } from "node:child_process";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { promisify } from "node:util";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { PATIENCE_MS, sample } from "../../../test/setup.ts";
import { type RenderPool, createRenderPool } from "./render-pool.ts";

const SIZE = 200_000;
const fill = (piece: string) => piece.repeat(Math.ceil(SIZE / piece.length));

/** Markup that takes some renderer quadratic time or worse, or the whole stack. */
const HOSTILE: Record<string, string> = {
  "nested quotes": fill(">"),
  "spaced quotes": fill("> "),
  "open links": fill("[a](b"),
  "open brackets": fill("["),
  "open images": fill("![["),
  emphasis: fill("a**b_c"),
  "more emphasis": fill("*a **a "),
  underscores: fill("_a __a "),
  strikes: fill("~~a"),
  backticks: Array.from({ length: 600 }, (_, length) => "`".repeat(length)).join(" "),
  "nested lists": Array.from({ length: 600 }, (_, depth) => `${" ".repeat(depth)}- a`).join("\n"),
  "dashes of lists": fill("- "),
  "open tags": fill("<a "),
  "nested divisions": fill("<div>"),
  "nested bold": fill("<b>"),
  "open comments": fill("<!--"),
  "open instructions": fill("<?"),
  "open sections": fill("<![CDATA["),
  entities: fill("&#"),
  addresses: fill("http://a.b/"),
  mailboxes: fill("a@a."),
  references: fill("[a]: b\n"),
  tables: `a|b\n-|-\n${fill("a|b\n")}`,
  headings: fill("# a\n"),
  code: `\`\`\`js\n${fill("`${").slice(0, 49_000)}\n\`\`\``,
  "missing images": fill("![a](b)"),
  "tags that nothing closes": fill("{%"),
  "named tags that nothing closes": fill("{% youtube "),
  "unknown tags": fill("{% frobnicate %} "),
  "boxes in boxes": fill("{% details %}\n"),
  "closed boxes in boxes": `${fill("{% details %}\n").slice(0, SIZE / 2)}\n${fill("{% enddetails %}\n").slice(0, SIZE / 2)}`,
  "boxes that others close": `${fill("{% details %}\n").slice(0, SIZE / 2)}\n${fill("{% endcard %}\n").slice(0, SIZE / 2)}`,
  "raw that nothing closes": fill("{% raw %}\n"),
  "raw in paragraphs": `${fill("{% raw %} a ")}{% endraw %}`,
  "raw and its ends": fill("{% raw %}\na {% endraw %}\n"),
  "buttons that nothing closes": fill("{% cta https://a.example %} "),
  "formulas that one end closes": `> ${fill("{% katex %}\n> ")}\n\n{% katex %}\n{% endkatex %}`,
  cards: fill("{% github a/b %}\n"),
  "addresses alone": fill("https://a.example/b\n\n"),
  colons: fill(":"),
  emoji: fill(":+1:*b*"),
  tasks: fill("- [ ] a\n"),
  "notes without an end": `[^1]: a\n\n${fill("[^a")}`,
  notes: Array.from({ length: 9000 }, (_, number) => `[^${number}] [^${number}]: x\n\n`).join(""),
  "notes after one another": `${Array.from({ length: 9000 }, (_, number) => `[^${number}]`).join(" ")}\n\n${Array.from({ length: 9000 }, (_, number) => `[^${number}]: x\n`).join("\n")}`,
  "notes in notes": fill("^[a"),
  mentions: fill("@ada "),
};

/** Of those that only render; threads take longer to start. */
const shared = createRenderPool({ size: 1, deadlineMs: 20_000 });
afterAll(() => shared.close());

/** For one test. */
function ownPool(options?: Parameters<typeof createRenderPool>[0]): RenderPool {
  const pool = createRenderPool(options);
  onTestFinished(() => pool.close());
  return pool;
}

test("a body comes back as HTML and as the beginning of its text", async () => {
  expect(await shared.render("# Loom\n\nWarp & *weft*.")).toEqual({
    html: '<h1 id="h-loom">Loom</h1>\n<p>Warp &amp; <em>weft</em>.</p>\n',
    text: "Warp & weft.",
    warnings: [],
    readingMinutes: 1,
  });
  const { text } = await shared.render(`x${"🎉".repeat(5000)}`);
  expect(text).toBe(`x${"🎉".repeat(499)}`);
});

test("bodies are rendered in the order they came", async () => {
  const order: string[] = [];
  await Promise.all(["a", "b", "c"].map(async (body) => order.push((await shared.render(body)).text)));
  expect(order).toEqual(["a", "b", "c"]);
});

test("a body of more than 800 KiB is refused, one of 800 KiB is not", async () => {
  await expect(shared.render("é".repeat(409_601))).rejects.toMatchObject({
    code: "invalid",
    message: "Body markdown is too long (maximum is 819200 bytes)",
  });
  expect((await shared.render("é".repeat(409_600))).html).toHaveLength(409_608);
});

test("a body over the deadline is refused, and those behind it are rendered", async () => {
  const pool = ownPool({ size: 1, deadlineMs: 500 });
  await pool.render("warm");
  const [slow, next] = await Promise.allSettled([pool.render(fill("<b>")), pool.render("next")]);
  expect(slow).toMatchObject({
    reason: {
      code: "invalid",
      message: "Body markdown takes too long to render (render_timeout)",
    },
  });
  expect(next).toMatchObject({ value: { text: "next" } });
});

test("the deadline is two seconds", async () => {
  const pool = ownPool({ size: 1 });
  await pool.render("warm");
  const startedAt = performance.now();
  await expect(pool.render("<b>".repeat(273_000))).rejects.toMatchObject({ code: "invalid" });
  expect(performance.now() - startedAt).toBeGreaterThan(1_950);
});

describe("hostile bodies of 200 KB", () => {
  test("each ends, by its result or by the deadline, and the main thread stays responsive", async () => {
    const pool = ownPool({ size: 2 });
    await pool.render("warm");
    const bodies = sample(Object.values(HOSTILE), 4);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const begunAt = performance.now();
    const before = performance.eventLoopUtilization();
    const outcomes = await Promise.allSettled(bodies.map((body) => pool.render(body)));
    delay.disable();

    const refusals = outcomes.filter((outcome) => outcome.status === "rejected");
    for (const { reason } of refusals) expect(reason).toMatchObject({ code: "invalid" });
    expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(
      outcomes.length / 2,
    );
    // Rendered here, the worst of them would hold the main thread for most of the time.
    expect(delay.max / 1e6).toBeLessThan((performance.now() - begunAt) / 4);
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  });
});

test("closing refuses what is not rendered, and later bodies", async () => {
  const pool = ownPool({ size: 1 });
  const outcomes = Promise.allSettled([pool.render(fill("<b>")), pool.render("waiting")]);
  await pool.close();
  for (const outcome of await outcomes) {
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "unavailable" } });
  }
  await expect(pool.render("late")).rejects.toMatchObject({ code: "unavailable" });
});

test("idle threads do not keep a process alive, a body under way does", async () => {
  const script = `
    import { createRenderPool } from ${JSON.stringify(new URL("render-pool.ts", import.meta.url).href)};
    const pool = createRenderPool();
    void pool.render("a").then(async () => {
      const { text } = await pool.render("*done*");
      process.stdout.write(text);
    });
  `;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", import.meta.resolve("tsx"), "--input-type=module", "--eval", script],
    { timeout: PATIENCE_MS },
  );
  expect(stdout).toBe("done");
});
