import { identicon } from "../src/content/images/identicon.ts";
import { readTokens } from "../src/search/index/vector.ts";
import { parseFrontMatter } from "../src/content/text/front-matter.ts";
import { themeStyle } from "../src/site/kit/layout.tsx";

/** Prints how long it takes to make again what small caches keep: `npx tsx bench/caches.ts`. */

const WORDS = 870;
const FRONT_MATTER =
  "---\ntitle: A\ntags: a, b\npublished: true\ncover_image: https://a.example/b.png\n---\nWords.";

/** Makes a text of words that no other call makes. */
function newText(call: number): string {
  return Array.from({ length: WORDS }, (_, word) => `${word.toString(36)}ing${call.toString(36)}ed`).join(
    " ",
  );
}

const tokensOf = (text: string) => readTokens(text, "english", () => {});
const style = (accent_color: string) => themeStyle({ settings: { accent_color } } as never);

function measure(what: string, calls: number, make: (call: number) => unknown): void {
  for (let call = 0; call < calls / 10; call++) make(-1 - call);
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call++) make(call);
  const { user, system } = process.cpuUsage(before);
  console.log(`${((user + system) / calls).toFixed(1).padStart(8)} µs  ${what}`);
}

const texts = Array.from({ length: 330 }, (_, call) => newText(call));
measure(`tokens of ${WORDS} words, each for the first time`, 300, (call) =>
  tokensOf(texts[call + 30] as string),
);
measure(`tokens of ${WORDS} words, each again`, 300, () => tokensOf(texts[0] as string));
measure("the style of an accent colour", 1_000, (call) => style(`#${(0x200000 + call).toString(16)}`));
measure("front matter of four lines", 2_000, () => parseFrontMatter(FRONT_MATTER));
measure("a generated profile picture", 100, (call) => identicon("user", call + 1_000, 320));
