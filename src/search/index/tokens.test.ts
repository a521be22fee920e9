import { describe, expect, test } from "vitest";
import { terms } from "./tokens.ts";

/** Writes words with their dots, joined ones with "+" and what they make, and runs in brackets. */
const write = (text: string) =>
  [...terms(text)].map((term) => {
    if ("run" in term) return `[${term.run.join(" ")}]`;
    const words = term.words.map(({ text, dot }) => (dot === "leading" ? `.${text}` : text)).join("+");
    return term.joined === undefined ? words : `${words}=${term.joined}`;
  });

describe("a long compound", () => {
  test("of more than five words is not written as one", () => {
    expect(write("a-b-c-d-e")).toEqual(["a+b+c+d+e=abcde"]);
    expect(write("a-b-c-d-e-f")).toEqual(["a+b+c+d+e+f"]);
  });

  test("of more than 64 bytes is not written as one", () => {
    expect(write(`${"x".repeat(32)}-${"y".repeat(32)}`)[0]).toContain("=");
    expect(write(`${"x".repeat(32)}-${"y".repeat(33)}`)[0]).not.toContain("=");
  });
});

test("words are cut at 200 bytes, between characters", () => {
  expect(write("x".repeat(5000))).toEqual(["x".repeat(200)]);
  expect(write("ж".repeat(5000))).toEqual(["ж".repeat(100)]);
  expect(write("Ⱥ".repeat(5000))).toEqual(write("ⱥ".repeat(5000)));
  for (const term of terms(`ก${"\u0e48".repeat(500)}ก`)) {
    expect("run" in term && term.run.every((character) => Buffer.byteLength(character) <= 100)).toBe(true);
  }
});
