import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { parseForm } from "./form-body.ts";

const TYPE = "multipart/form-data; boundary=XX";
const MAX = 1_000;
const LIMITS = { maxFileBytes: MAX };

const part = (disposition: string, content: Buffer | string, more = "") =>
  Buffer.concat([
    Buffer.from(`--XX\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);
const form = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from("--XX--\r\n")]);
const file = (name: string, content: Buffer | string) => part(`name="${name}"; filename="a.png"`, content);

test("files are found by the names of their fields, to the byte", async () => {
  const [one, two] = [randomBytes(900), Buffer.from("\r\n--X not the end\r\n--")];
  const { files, pairs } = await parseForm(
    TYPE,
    form(file("image", one), part('name="b"', "text"), file("c", two), file("c", "")),
    LIMITS,
  );
  expect(pairs).toEqual([["b", "text"]]);
  expect(files).toEqual(
    new Map([
      ["image", [one]],
      ["c", [two, Buffer.alloc(0)]],
    ]),
  );
});

test.each([
  "../../../../etc/passwd",
  "/etc/passwd",
  "C:\\\\Windows\\\\win.ini",
  "con.png",
  "a%00.png",
  "a".repeat(300) + ".png",
  "\u202egnp.exe",
  ".htaccess",
  "",
])("a file may be called %j, which is ignored", async (name) => {
  const bytes = form(part(`name="image"; filename="${name}"`, "x", "Content-Type: text/html\r\n"));
  const { files } = await parseForm(TYPE, bytes, LIMITS);
  expect(files.get("image")).toEqual([Buffer.from("x")]);
});

describe("is refused", () => {
  const many = (count: number) =>
    form(...Array.from({ length: count }, (_, index) => part(`name="f${index}"`, "x")));

  test("a file that is too large", async () => {
    const { fault } = await parseForm(TYPE, form(file("image", Buffer.alloc(MAX + 1))), LIMITS);
    expect(fault).toMatchObject({ code: "too_large" });
  });

  test.each([51, 1_000])("a form of %i fields", async (count) => {
    await expect(parseForm(TYPE, many(count), LIMITS)).rejects.toMatchObject({ code: "invalid" });
  });

  test.each([
    ["multipart/form-data", form(file("image", "x"))],
    ["multipart/form-data; boundary=", form(file("image", "x"))],
    ["multipart/form-data; boundary=YY", form(file("image", "x"))],
    [TYPE, Buffer.alloc(0)],
    [TYPE, Buffer.from("nonsense")],
    [TYPE, Buffer.from("--XX\r\n")],
    [TYPE, Buffer.from('{"image":"x"}')],
  ])("what isn't a form: %s, %s", async (type, bytes) => {
    await expect(parseForm(type, bytes, LIMITS)).rejects.toMatchObject({ code: "malformed" });
  });

  test("a form that breaks off, wherever it does", async () => {
    const bytes = form(part('name="b"', "text"), file("image", "x".repeat(100)));
    // The last line end, and the dashes in front of it, may be missing.
    for (let length = 0; length < bytes.length - 4; length++) {
      const outcome = await parseForm(TYPE, bytes.subarray(0, length), LIMITS).then(
        () => "accepted",
        (error: { code: string }) => error.code,
      );
      expect([length, outcome]).toEqual([length, "malformed"]);
    }
  });
});

test("a part whose head doesn't end properly is no file", async () => {
  const broken = Buffer.from('--XX\r\nContent-Disposition: form-data; name="b"\n\r\ntext\r\n--XX--\r\n');
  expect(await parseForm(TYPE, broken, LIMITS)).toMatchObject({ files: new Map() });
});

test("every form is answered, however broken", async () => {
  for (let round = 0; round < 1_000; round++) {
    const bytes = Buffer.from(form(part('name="b"', "text"), file("image", randomBytes(50))));
    for (let change = 0; change < 3; change++)
      bytes[Math.floor(Math.random() * bytes.length)] = Math.random() * 256;
    await parseForm(TYPE, bytes, LIMITS).catch((error: { code?: string }) => {
      expect(["malformed", "invalid", "too_large"]).toContain(error.code);
    });
  }
});
