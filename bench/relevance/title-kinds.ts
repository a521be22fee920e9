import { shuffle } from "../corpus/random.ts";
import { judge, type Kind } from "./judged.ts";
import { words } from "./text.ts";

/** A title as it is written; of two articles with the same title either is right. */
export const exactTitles: Kind = {
  name: "Exact title",
  wanted: 100,
  *derive({ articles }, random) {
    for (const { title } of shuffle(random, articles)) {
      const same = articles.filter((other) => other.title.toLowerCase() === title.toLowerCase());
      yield judge(title, same);
    }
  },
};

/** Who wrote it, and a word of its title. */
export const authorAndWord: Kind = {
  name: "Author's name and a word of the title",
  wanted: 30,
  *derive({ articles, byTitleWord }, random) {
    for (const { author, title } of shuffle(random, articles)) {
      const long = words(title).filter((word) => word.length >= 5);
      if (author === "" || long.length === 0) continue;
      const word = random.pick(long);
      const having = byTitleWord.get(word) ?? [];
      yield judge(
        `${author} ${word}`,
        having.filter((article) => article.author === author),
      );
    }
  },
};

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー]{2,}/gu;
const SPACED = /(?:(?!\p{Script=Latin})[\p{L}\p{M}])+(?: (?:(?!\p{Script=Latin})[\p{L}\p{M}])+)?/gu;

/** Two to four characters of a title, or up to two words where words are spaced, of scripts other than Latin. */
export const otherScripts: Kind = {
  name: "Piece of a title in another script",
  wanted: 60,
  *derive({ articles }, random) {
    for (const { title } of shuffle(random, articles)) {
      const unspaced = title.match(UNSPACED);
      const spaced = unspaced ? null : (title.match(SPACED)?.filter((piece) => piece.length >= 4) ?? []);
      const runs = unspaced ?? spaced ?? [];
      if (runs.length === 0) continue;
      const chosen = random.pick(runs);
      const start = random.between(0, chosen.length - 2);
      const piece = unspaced ? chosen.slice(start, start + random.between(2, 4)) : chosen;
      yield judge(
        piece,
        articles.filter((other) => other.title.toLowerCase().includes(piece.toLowerCase())),
      );
    }
  },
};
