export const FORMATS = {
  jpeg: { type: "image/jpeg", extension: "jpg" },
  png: { type: "image/png", extension: "png" },
  gif: { type: "image/gif", extension: "gif" },
  webp: { type: "image/webp", extension: "webp" },
  avif: { type: "image/avif", extension: "avif" },
} as const;

export type Format = keyof typeof FORMATS;

export function formatOf(bytes: Buffer): Format | undefined {
  const head = bytes.toString("latin1", 0, 16);
  if (head.startsWith("\xff\xd8\xff")) return "jpeg";
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "gif";
  if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) return "webp";
  return isAvif(bytes) ? "avif" : undefined;
}

/** Whether the first box has a brand of AVIF, which HEIC lacks. */
function isAvif(bytes: Buffer): boolean {
  if (bytes.length < 16 || bytes.toString("latin1", 4, 8) !== "ftyp") return false;
  const length = bytes.readUInt32BE(0);
  if (length < 16 || length > 256) return false;
  const brands: string[] = bytes.toString("latin1", 8, length).match(/.{4}/gs) ?? [];
  return brands.includes("avif") || brands.includes("avis");
}
