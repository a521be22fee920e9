export interface FoundTag {
  name: string;
  argument: string;
  raw: string;
  end: number;
  isClosed: boolean;
}

/** Many unclosed tags would take long. */
const MAX_CHARACTERS = 1000;
const START = /^\{%-?[ \t]*([a-z]\w{0,30})(?![\w])/i;

/** A tag must end on its line; otherwise only its beginning is read. */
export function readTag(text: string, at: number, max: number): FoundTag | undefined {
  if (text[at] !== "{" || text[at + 1] !== "%") return undefined;
  const piece = text.slice(at, Math.min(max, at + MAX_CHARACTERS));
  const start = START.exec(piece);
  if (!start) return undefined;
  const [opening, name = ""] = start;
  const lineEnd = piece.indexOf("\n");
  const close = piece.indexOf("%}", opening.length);
  const isClosed = close >= 0 && (lineEnd < 0 || close < lineEnd);
  const length = isClosed ? close + 2 : opening.length;
  return {
    name: name.toLowerCase(),
    argument: isClosed ? piece.slice(opening.length, close).replace(/-$/, "").trim() : "",
    raw: piece.slice(0, length),
    end: at + length,
    isClosed,
  };
}

export interface Ending {
  from: number;
  to: number;
}

const PATTERNS = new Map<string, RegExp>();

export function findEnding(text: string, name: string, from: number): Ending | undefined {
  const pattern = PATTERNS.get(name) ?? new RegExp(String.raw`\{%-?[ \t]*end${name}[ \t]*-?%\}`, "gi");
  PATTERNS.set(name, pattern);
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match ? { from: match.index, to: match.index + match[0].length } : undefined;
}

export function createEndings(text: string): (name: string, from: number) => Ending | undefined {
  const known = new Map<string, { from: number; ending: Ending | undefined }>();
  return (name, from) => {
    const last = known.get(name);
    if (last && from >= last.from && (last.ending === undefined || from <= last.ending.from))
      return last.ending;
    const ending = findEnding(text, name, from);
    known.set(name, { from, ending });
    return ending;
  };
}
