import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** OWASP's figure: 128 MiB and some 0.4 seconds for each guess. */
const COST = { ln: 17, r: 8, p: 1 };
const KEY_BYTES = 32;

/** A PHC string holds cost and salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, { salt, ...COST });
  return `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${base64(salt)}$${base64(hash)}`;
}

/** Imported hashes of another kind match no password. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const match = /^\$scrypt\$ln=(\d\d?),r=(\d\d?),p=(\d)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]{43})$/.exec(stored);
  if (!match) return false;
  const [ln, r, p] = match.slice(1, 4).map(Number) as [number, number, number];
  // An imported hash may not cost more memory than ours.
  if (ln > COST.ln || ln < 1 || r > COST.r || r < 1 || p !== COST.p) return false;
  const [salt, expected] = match.slice(4).map((part) => Buffer.from(part, "base64")) as [Buffer, Buffer];
  return timingSafeEqual(await derive(password, { salt, ln, r, p }), expected);
}

function derive(password: string, { salt, ln, r, p }: { salt: Buffer } & typeof COST): Promise<Buffer> {
  const options = { N: 2 ** ln, r, p, maxmem: 2 ** 28 };
  return new Promise((resolve, reject) => {
    // Two keyboards may produce different code points.
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

function base64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
