import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../platform/errors.ts";
import { createFairQueue } from "../../platform/fair-queue.ts";
import { createPool } from "../../platform/jobs/workers.ts";
import { networkOf } from "../../platform/limits/networks.ts";

/** RFC 9106's algorithm with OWASP's smallest figures: 19 MiB and some 16 ms of a processor for each guess. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const OWN = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;

const loadArgon2 = () => import("@node-rs/argon2");

/** More at once would take the processors and the memory that reads need. */
const queue = createFairQueue({ size: 2, limit: 64 });

/** Clients that are refused and ask again at once would take the processor from readers. */
const REFUSED_AFTER_MS = 1_000;

/**
 * Runs what a form with a password needs, so that those who wait cost nothing yet. Networks take turns.
 * @throws AppError unavailable when too many wait
 */
export async function inTurn<Result>(address: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await queue.run({ key: networkOf(address) }, work);
  } catch (error) {
    if (error instanceof AppError && error.code === "unavailable") await sleep(REFUSED_AFTER_MS);
    throw error;
  }
}

/** A PHC string, which holds cost and salt. */
export async function hashPassword(password: string): Promise<string> {
  return (await loadArgon2()).hash(normal(password), COST);
}

export interface Checked {
  isRight: boolean;
  /** Whether the hash is of another kind or cost than new ones, and the password should be hashed again. */
  isOld: boolean;
}

/** Compares a password with a stored hash. One that can't match costs as much as one that could. */
export async function checkPassword(password: string, stored: string | null | undefined): Promise<Checked> {
  const kind = stored && KINDS.find(({ form }) => form.test(stored));
  if (kind) return { isRight: await kind.matches(password, stored), isOld: !stored.startsWith(OWN) };
  await matchesArgon2(password, await (dummy ??= hashOfNothing()));
  return { isRight: false, isOld: false };
}

/** Whether a hash is of a kind that some password can match. */
export const isKnownHash = (stored: string): boolean => KINDS.some(({ form }) => form.test(stored));

let dummy: Promise<string> | undefined;
const hashOfNothing = async () => (await loadArgon2()).hash(randomBytes(32), COST);

/** Hashes of this program and of versions before, and imported ones. None may cost much more than ours. */
const KINDS: { form: RegExp; matches: (password: string, stored: string) => Promise<boolean> }[] = [
  {
    form: /^\$argon2id\$v=19\$m=(?:[89]|\d{2,4}|1\d{4}),t=[12],p=1\$[A-Za-z\d+/]{11,86}\$[A-Za-z\d+/]{22,86}$/,
    matches: matchesArgon2,
  },
  {
    form: /^\$scrypt\$ln=(?:[1-9]|1[0-7]),r=[1-8],p=1\$[A-Za-z\d+/]+\$[A-Za-z\d+/]{43}$/,
    matches: matchesScrypt,
  },
  { form: /^\$2[aby]\$(?:0[4-9]|1[0-3])\$[A-Za-z\d./]{53}$/, matches: matchesBcrypt },
];

async function matchesArgon2(password: string, stored: string): Promise<boolean> {
  const { verify } = await loadArgon2();
  // Base64 that can't be decoded: no password matches it.
  return verify(stored, normal(password)).catch(() => false);
}

async function matchesScrypt(password: string, stored: string): Promise<boolean> {
  const [, , cost = "", salt = "", hash = ""] = stored.split("$");
  const [ln, r, p] = [...cost.matchAll(/\d+/g)].map(Number) as [number, number, number];
  const options = { N: 2 ** ln, r, p, maxmem: 2 ** 28 };
  const expected = Buffer.from(hash, "base64");
  const found = await new Promise<Buffer>((resolve, reject) => {
    scrypt(normal(password), Buffer.from(salt, "base64"), expected.length, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
  return timingSafeEqual(found, expected);
}

let bcrypt: ReturnType<typeof createPool<BcryptQuestion, boolean>> | undefined;

export interface BcryptQuestion {
  password: string;
  stored: string;
}

const BCRYPT_MS = 10_000;

/** A thread compares, because bcrypt is computed in JavaScript. Other programs hash passwords without normalization. */
function matchesBcrypt(password: string, stored: string): Promise<boolean> {
  bcrypt ??= createPool<BcryptQuestion, boolean>({
    kind: "thread",
    module: "community/users/bcrypt-worker",
    label: "The thread that checks bcrypt",
    size: 1,
    deadlineMs: BCRYPT_MS,
    idleMs: 10_000,
    explain: (error) => error,
  });
  return bcrypt.ask({ key: undefined }, { password, stored });
}

/** Two keyboards may produce different code points. */
const normal = (password: string) => password.normalize("NFKC");
