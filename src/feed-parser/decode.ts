/** Any byte is a character of these encodings, so only UTF-8 can be told from them. */
const SINGLE_BYTE = /^(windows-|iso-8859-|koi8-|macintosh|x-mac-|ibm866)/;

const BYTE_ORDER_MARKS: readonly [label: string, mark: readonly number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
  // No mark, but the first character of XML or JSON.
  ["utf-16le", [0x3c, 0x00]],
  ["utf-16be", [0x00, 0x3c]],
  ["utf-16le", [0x7b, 0x00]],
  ["utf-16be", [0x00, 0x7b]],
];

/** Believes the declared encoding if the bytes are valid in it: many feeds declare a wrong one. */
export function decode(bytes: Uint8Array, contentType: string | undefined): string {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked) return new TextDecoder(marked[0]).decode(bytes);
  const declared = [charsetOf(contentType), declaredIn(bytes)].filter((label) => label !== undefined);
  const strict = declared.filter((label) => !SINGLE_BYTE.test(label) && !label.startsWith("utf-16"));
  for (const label of [...strict, "utf-8", ...declared.filter((each) => SINGLE_BYTE.test(each))]) {
    const text = attempt(label, bytes);
    if (text !== undefined) return text;
  }
  return new TextDecoder("windows-1252").decode(bytes);
}

function charsetOf(contentType = ""): string | undefined {
  return known(/;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType)?.[1]);
}

/** The first line of XML is ASCII in all encodings that need it. */
function declaredIn(bytes: Uint8Array): string | undefined {
  const beginning = new TextDecoder("windows-1252").decode(bytes.subarray(0, 200));
  return known(/^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(beginning)?.[1]);
}

function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function attempt(label: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
