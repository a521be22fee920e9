import { expect, test } from "vitest";
import { cpuCost } from "../../../test/waiting.ts";
import { mentionsIn } from "./references.ts";

test.each([
  ["<p>@ada and @Bob_2, thanks!</p>", ["ada", "bob_2"]],
  ["<p>(@ada) <em>@cleo</em>.</p><p>@ada again</p>", ["ada", "cleo"]],
  ['<p><a href="https://ink.example/ada">@ada</a></p>', ["ada"]],
  ["@ada", ["ada"]],
])("%s mentions %j", (html, names) => {
  expect(mentionsIn(html)).toEqual(names);
});

test.each([
  "<p>write to lena@example.com or @lena@example.com</p>",
  "<p>npm i @scope/name, @a and @</p>",
  '<pre><code class="language-py">@property\ndef x(): pass</code></pre><p><code>@media</code></p>',
  '<p><a href="https://example.com">see @ada there</a></p>',
  '<p><img src="https://example.com/@ada.png" alt="@ada"></p>',
  `<p>@${"x".repeat(31)}</p>`,
])("%s mentions nobody", (html) => {
  expect(mentionsIn(html)).toEqual([]);
});

test.each(["<a>@", "@ada "])("a long text of %j takes no longer for each of its words", async (piece) => {
  const cost = (count: number, times: number) => {
    const text = piece.repeat(count);
    return cpuCost(() => {
      for (let time = 0; time < times; time++) mentionsIn(text);
    });
  };
  // A cost that grows with the square would be ten times as high.
  expect(await cost(100_000, 1)).toBeLessThan(5 * (await cost(10_000, 10)));
});
