import { describe, expect, test } from "vitest";
import { isHttpUrl } from "./urls.ts";

describe("isHttpUrl", () => {
  test.each([
    "http://example.com",
    "https://example.com/a/b?c=d&e#f",
    "HTTPS://EXAMPLE.COM:8443/",
    "https://bücher.example/ä",
    "http://[2001:db8::1]/",
    "http://localhost:3000/",
  ])("%s is one", (text) => {
    expect(isHttpUrl(text)).toBe(true);
  });

  // Long enough for V8 to compile what is asked so often.
  test("an address with letters beyond ASCII is one however often it is asked", () => {
    const denied = Array.from({ length: 100_000 }, () => isHttpUrl("https://bücher.example/ä"));
    expect(denied.indexOf(false)).toBe(-1);
  });

  test.each([
    "",
    "example.com",
    "//example.com/",
    "/path",
    "ftp://example.com/",
    "javascript:alert(1)",
    "java\tscript:alert(1)",
    "data:text/html,x",
    "https:example.com",
    "https:/example.com",
    "https:///example.com",
    "http:\\\\example.com",
    "https://example.com\\@evil.test",
    "https://user:secret@example.com/",
    "https://@example.com/",
    " https://example.com",
    "https://example.com/a b",
    "https://example.com/\n",
    "https://exa\u00admple.com/",
    "https://example.com/\u200b",
    "https://example.com/\ud800",
    'https://example.com/"onload=',
    "https://[::1/",
    "https://exa mple.com",
    "https://example.com:99999/",
    "https://",
  ])("%j is none", (text) => {
    expect(isHttpUrl(text)).toBe(false);
  });
});
