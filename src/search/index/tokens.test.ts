import { describe, expect, test } from "vitest";
import { terms } from "./tokens.ts";

/** Writes words with their dots, joined ones with "+" and what they make, and runs in brackets. */
const write = (text: string) =>
  [...terms(text)].map((term) => {
    if ("run" in term) return `[${term.run.join(" ")}]`;
    const words = term.words.map(({ text, dot }) => (dot === "leading" ? `.${text}` : text)).join("+");
    return term.joined === undefined ? words : `${words}=${term.joined}`;
  });

test.each([
  ["Don't stop, café!", ["don+t=dont", "stop", "cafe"]],
  ["DON’T", ["don+t=dont"]],
  ["п’ять п'ять пʼять", ["п+ять=пять", "п+ять=пять", "п+ять=пять"]],
  ["_emphasis_ __init__ **bold**", ["emphasis", "init", "bold"]],
  ["snake_case_name", ["snake+case+name=snakecasename"]],
  ["e-mail e‑mail", ["e+mail=email", "e+mail=email"]],
  ["v1.29 1.29 2024-01-05", ["v1+29=v1.29", "1+29=1.29", "2024+01+05=2024.01.05"]],
  ["u128/i128", ["u128+i128=u128i128"]],
  ["CVE-2015-8027", ["cve+2015+8027=cve2015.8027"]],
  ["Tech@State", ["tech+state=techstate"]],
  ["jane.doe@example.com", ["jane+doe+example+com=janedoeexamplecom"]],
  ["window.open()", ["window+open=windowopen"]],
  ["wait...what a----b a \u2014 b", ["wait+what=waitwhat", "a", "b", "a", "b"]],
  ["#tag @name (a)(b)", ["tag", "name", "a", "b"]],
  ["https://example.com/a/b?c=d#e", ["example+com+a+b+c+d+e"]],
])("%j has the words %j", (text, expected) => {
  expect(write(text)).toEqual(expected);
});

test.each([
  ["C++ c++, (C++) notepad++", ["c++", "c++", "c++", "notepad++"]],
  ["c++17 C#12", ["c+++17=c++17", "c#+12=c#12"]],
  ["C/C++ c++/java", ["c+c++=cc++", "c+++java=c++java"]],
  ["a++b c+++ c+", ["a+b=ab", "c", "c"]],
  ["C# F#. c#x cc# c##", ["c#", "f#", "c+x=cx", "cc", "c"]],
  ["C++程序 C#语言", ["c++", "[程 序]", "c#", "[语 言]"]],
])("the signs of %j belong to its words %j", (text, expected) => {
  expect(write(text)).toEqual(expected);
});

test.each([
  [".NET (.net) `.env`", [".net", ".net", ".env"]],
  ["node.js asp.net", ["node+js=nodejs", "asp+net=aspnet"]],
  ["~/.bashrc C#.NET", [".bashrc", "c#+.net=c#net"]],
  ["foo/.env", ["foo+.env=fooenv"]],
  ["...and .5 end.", ["and", "5", "end"]],
  ["用.NET开发", ["[用]", ".net", "[开 发]"]],
])("a dot begins words of %j: %j", (text, expected) => {
  expect(write(text)).toEqual(expected);
});

test.each([
  ["火焰图", ["[火 焰 图]"]],
  ["Hello中国2024年", ["hello", "[中 国]", "2024", "[年]"]],
  ["กินข้าว", ["[กิ น ข้ า ว]"]],
  ["हिन्दी বাংলা العربية", ["हिन्दी", "বাংলা", "العربيه"]],
  ["中-国", ["[中]", "[国]"]],
  ["🎉 — ... \u0301", []],
])("%j of another script is read as %j", (text, expected) => {
  expect(write(text)).toEqual(expected);
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
