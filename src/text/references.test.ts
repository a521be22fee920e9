import { expect, test } from "vitest";
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

test("a long text takes no long time", () => {
  const started = performance.now();
  mentionsIn("<a>@".repeat(20_000));
  mentionsIn("@ada ".repeat(100_000));
  expect(performance.now() - started).toBeLessThan(1_000);
});
