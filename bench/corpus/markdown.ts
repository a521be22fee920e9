import type { Random } from "./random.ts";
import { capitalise } from "./words.ts";

export interface Pen {
  random: Random;
  word: () => string;
}

interface Block {
  text: string;
  words: number;
}

const MIN_WORDS = 400;
const MAX_WORDS = 1_200;

/** No block adds more than this, so a body that stops this far below its end never passes it. */
const LARGEST_BLOCK = 110;

/** A Markdown body of 400 to 1,200 words, which holds each of the planted words once. */
export function writeBody(pen: Pen, planted: readonly string[]): string {
  const target = pen.random.between(MIN_WORDS + 50, MAX_WORDS - LARGEST_BLOCK);
  const blocks: Block[] = [writeParagraph(pen, planted)];
  let words = blocks[0]?.words ?? 0;
  while (words < target) {
    const block = writeBlock(pen);
    blocks.push(block);
    words += block.words;
  }
  return blocks.map(({ text }) => text).join("\n\n");
}

/** Cuts a text that has more bytes than this at the end of a word. */
export function cut(text: string, mostBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= mostBytes) return text;
  const most = bytes.toString("utf8", 0, mostBytes);
  return most.slice(0, most.lastIndexOf(" "));
}

function writeBlock(pen: Pen): Block {
  const kind = pen.random.next();
  if (kind < 0.68) return writeParagraph(pen, []);
  if (kind < 0.84) return writeHeading(pen);
  return kind < 0.94 ? writeList(pen) : writeCode(pen);
}

function writeHeading(pen: Pen): Block {
  const words = pen.random.between(2, 6);
  const marks = pen.random.next() < 0.7 ? "##" : "###";
  return { text: `${marks} ${capitalise(writeWords(pen, words))}`, words };
}

function writeParagraph(pen: Pen, planted: readonly string[]): Block {
  const sentences = pen.random.between(3, 6);
  const written: string[] = [];
  let words = planted.length;
  for (let count = 0; count < sentences; count += 1) {
    const length = pen.random.between(6, 16);
    words += length;
    written.push(`${capitalise(decorate(pen, writeWords(pen, length)))}.`);
  }
  if (planted.length > 0) written.push(`${capitalise(planted.join(" "))}.`);
  return { text: written.join(" "), words };
}

/** Marks a part of a sentence now and then: bold, code, a link, or a dash that isn't ASCII. */
function decorate({ random }: Pen, sentence: string): string {
  const chance = random.next();
  if (chance > 0.4) return sentence;
  const words = sentence.split(" ");
  const at = random.between(1, words.length - 2);
  const word = words[at] as string;
  if (chance < 0.1) words[at] = `**${word}**`;
  else if (chance < 0.2) words[at] = `\`${word}\``;
  else if (chance < 0.3) words[at] = `${word} —`;
  else words[at] = `[${word}](https://${words[at + 1] as string}.example/${word})`;
  return words.join(" ");
}

function writeList(pen: Pen): Block {
  const items = Array.from({ length: pen.random.between(3, 6) }, () => writeWords(pen, 8));
  return { text: items.map((item) => `- ${capitalise(item)}`).join("\n"), words: items.length * 8 };
}

function writeCode(pen: Pen): Block {
  const lines = Array.from({ length: pen.random.between(3, 8) }, () => {
    return `const ${pen.word()} = ${pen.word()}("${pen.word()}", ${pen.random.between(0, 999)});`;
  });
  return { text: ["```js", ...lines, "```"].join("\n"), words: lines.length * 5 };
}

export function writeWords({ word }: Pen, count: number): string {
  return Array.from({ length: count }, word).join(" ");
}
