import { describe, expect, test } from "vitest";
import { readField } from "../../platform/fields/fields.ts";
import { FIELDS } from "./fields.ts";

const read = (text: string) => readField(FIELDS.canonical_url, text, "canonical_url");

describe("a canonical URL", () => {
  test.each([
    "",
    "https://example.com/post",
    "http://192.0.2.7/",
    "http://172.32.0.1/",
    "http://localhost:3000/",
    "http://wiki/",
    "http://127.0.0.1/",
    "http://[::1]/",
  ])("accepts %j", (text) => {
    expect(() => read(text)).not.toThrow();
  });

  test.each(["not a url", "https://exam ple.com/", "ftp://example.com/", "https://a@b.example/"])(
    "refuses %j and says what an address is",
    (text) => {
      expect(() => read(text)).toThrow(/^Canonical url must be a full http or https address/);
    },
  );

  test("refuses an address the unique index could not hold", () => {
    expect(() => read(`https://example.com/${"x".repeat(2000)}`)).toThrow(
      "Canonical url is too long (maximum is 2000 bytes)",
    );
  });
});
