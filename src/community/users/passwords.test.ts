import { randomBytes, scryptSync } from "node:crypto";
import { hashSync } from "bcryptjs";
import { describe, expect, test } from "vitest";
import { checkPassword, hashPassword } from "./password-hash.ts";
import { checkNewPassword } from "./passwords.ts";

const PASSWORD = "a windy allotment";

describe("a password", () => {
  test("is hashed by argon2id, each time with another salt", async () => {
    const [one, other] = [await hashPassword(PASSWORD), await hashPassword(PASSWORD)];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
    expect(await checkPassword(PASSWORD, one)).toEqual({ isRight: true, isOld: false });
    expect(await checkPassword("a windy garden", one)).toEqual({ isRight: false, isOld: false });
  });

  test("is compared whole, and whatever keyboard it came from", async () => {
    const long = "ä".repeat(255);
    const stored = await hashPassword(`${long}a`);
    expect(await checkPassword(`${long.normalize("NFD")}a`, stored)).toMatchObject({ isRight: true });
    expect(await checkPassword(`${long}b`, stored)).toMatchObject({ isRight: false });
  });

  test("never matches where there is no hash, or one of an unknown kind", async () => {
    for (const stored of [
      null,
      undefined,
      "",
      "plain",
      "$argon2id$v=19$m=1,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
      "$argon2id$v=19$m=19456,t=2,p=1$aaaa_aaaaaaa$aGFzaGhhc2hoYXNoaGFzaA",
      "$argon2id$v=19$m=19456,t=2,p=1$aaaaaaaaaaaaa$aGFzaGhhc2hoYXNoaGFzaA",
      `$scrypt$ln=0,r=8,p=1$c2FsdHNhbHQ$${"a".repeat(43)}`,
      "$argon2id$v=19$m=1048576,t=9,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNo",
    ])
      expect(await checkPassword(PASSWORD, stored)).toEqual({ isRight: false, isOld: false });
  });
});

describe.each([
  ["scrypt", scryptOf(PASSWORD)],
  ["bcrypt of $2a$", hashSync(PASSWORD, 4).replace("$2b$", "$2a$")],
  ["bcrypt of $2b$", hashSync(PASSWORD, 4)],
  ["bcrypt of $2y$", hashSync(PASSWORD, 4).replace("$2b$", "$2y$")],
])("a hash by %s", (_, stored) => {
  test("matches its password, and is to be replaced", async () => {
    expect(await checkPassword(PASSWORD, stored)).toEqual({ isRight: true, isOld: true });
    expect(await checkPassword("a windy garden", stored)).toMatchObject({ isRight: false });
  });
});

test("a hash by bcrypt that costs too much matches nothing", async () => {
  const stored = hashSync(PASSWORD, 4).replace("$04$", "$14$");
  expect(await checkPassword(PASSWORD, stored)).toEqual({ isRight: false, isOld: false });
});

const LENA = {
  username: "lena_ortiz",
  name: "Lena Ortiz",
  email: "lena@allotment.example",
  communityName: "Allotments",
};

test.each([
  ["1234567", "Password is too short (minimum is 8 characters)"],
  ["é".repeat(257), "Password is too long (maximum is 256 characters)"],
  ["LENA_Ortiz", "Password must not be your username: choose another one"],
  ["lena ortiz", "Password must not be your name: choose another one"],
  ["lena@allotment.example", "Password must not be your e-mail address: choose another one"],
  ["allotments", "Password must not be the name of the community: choose another one"],
  ["Password1", "Password is one of those that many people use: choose another one"],
  ["qwertyuiop", "Password is one of those that many people use: choose another one"],
])("the new password %s is refused", async (password, sentence) => {
  await expect(checkNewPassword(password, LENA)).rejects.toThrow(sentence);
});

test.each(["a windy allotment", "пароль-моей-сестры", "🥕".repeat(8), "x".repeat(256)])(
  "the new password %s is taken",
  async (password) => {
    await expect(checkNewPassword(password, LENA)).resolves.toBeUndefined();
  },
);

function scryptOf(password: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N: 2 ** 14, r: 8, p: 1 });
  const text = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
  return `$scrypt$ln=14,r=8,p=1$${text(salt)}$${text(hash)}`;
}
