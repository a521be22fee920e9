import { describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "../config.ts";

const MAIL_FROM = "Loom Folk <hello@loom.example>";
const mailOf = (MAIL_URL: string, from = MAIL_FROM) => readConfig({ MAIL_URL, MAIL_FROM: from }).mail;

function problemOf(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return "";
}

test.each([
  ["smtp://mail.example", { host: "mail.example", port: 587, isSecure: false, login: undefined }],
  ["smtp://localhost:25/", { host: "localhost", port: 25 }],
  ["smtps://[::1]", { host: "::1", port: 465, isSecure: true }],
  ["smtp://u%40x.example:p%2Fw%25@mail.example:2525", { login: { user: "u@x.example", password: "p/w%" } }],
  ["smtp://u:p@ss@mail.example", { host: "mail.example", login: { user: "u", password: "p@ss" } }],
])("%s is a server", (url, server) => {
  expect(mailOf(url)).toMatchObject(server);
});

test.each([
  "http://mail.example",
  "mail.example:587",
  "smtp://",
  "smtp://user@mail.example",
  "smtp://:secret@mail.example",
  "smtp://u:se/cret@mail.example",
  "smtp://u:50%off-secret@mail.example",
  "smtp://u:secret@mail.example/path",
  "smtp://u:secret@mail.example?pool=true",
  "smtp://u:secret@ma_il!.example",
  "smtp://u:secret@mail.example:70000",
  "smtp://u:secret@mail.example:0",
])("%s stops the start with a sentence that doesn't show it", (url) => {
  const problem = problemOf({ MAIL_URL: url, MAIL_FROM });
  expect(problem).toMatch(
    /^Inkstone can't start with these settings:\n {2}MAIL_URL must be an address like smtp:/,
  );
  expect(problem).not.toContain("secret");
  expect(problem.split("\n")).toHaveLength(2);
});

describe("MAIL_FROM", () => {
  test.each([
    ["hello@loom.example", { name: "", address: "hello@loom.example" }],
    ["Loom Folk <hello@loom.example>", { name: "Loom Folk", address: "hello@loom.example" }],
    ["<hello@bücher.example>", { name: "", address: "hello@bücher.example" }],
    ['"Loom, Folk" <a@loom.example>', { name: "Loom, Folk", address: "a@loom.example" }],
    [
      '"The \\"Loom\\"; (Folk)" Team <a@loom.example>',
      { name: 'The "Loom"; (Folk) Team', address: "a@loom.example" },
    ],
    ["Loom (the team) < a@loom.example > (us)", { name: "Loom", address: "a@loom.example" }],
    ["a@loom.example (Loom Folk)", { name: "Loom Folk", address: "a@loom.example" }],
    ['"a, b"@loom.example', { name: "", address: '"a, b"@loom.example' }],
    ["Loom <a@[192.0.2.1]>", { name: "Loom", address: "a@[192.0.2.1]" }],
    ["Loom, Folk & Co. <a+b@loom.example>", { name: "Loom, Folk & Co.", address: "a+b@loom.example" }],
  ])("%s is a sender", (text, from) => {
    expect(mailOf("smtp://mail.example", text)?.from).toEqual(from);
  });

  test.each([
    "Loom Folk",
    "a@b@c.example",
    "a@x.example, b@x.example",
    "Loom\r\nBcc: b@x.example <a@x.example>",
    "Loom <a@x.example> b",
    "Loom <a@x.example",
    "Loom <<a@x.example>>",
    '"Loom <a@x.example>',
    "Loom <a@>",
    "Loom <a>",
    "Folk: a@x.example;",
    "Folk: a@x.example, b@x.example;",
    "Loom <a@x.example>, Folk <b@x.example>",
    "a@x.example,",
    `${"x".repeat(101)} <a@x.example>`,
  ])("%s is none", (text) => {
    expect(problemOf({ MAIL_URL: "smtp://mail.example", MAIL_FROM: text })).toContain(
      "MAIL_FROM must be an e-mail address such as hello@example.com",
    );
  });

  test("and MAIL_URL are set both, or neither", () => {
    expect(problemOf({ MAIL_FROM })).toContain("MAIL_URL must be set too");
    expect(problemOf({ MAIL_URL: "smtp://mail.example" })).toContain("MAIL_FROM must be set too");
    expect(readConfig({}).mail).toBeUndefined();
  });
});
