import { describe, expect, test } from "vitest";
import { checkTags, parseTagList, tagsOfNames } from "./tags.ts";

describe("parseTagList", () => {
  test("reads a comma-separated text and a list alike", () => {
    expect(parseTagList(" Wool, felt ,,WOOL")).toEqual(["wool", "felt"]);
    expect(parseTagList(["Wool", " felt", "", "wool,linen"])).toEqual(["wool", "felt", "linen"]);
    expect(parseTagList("")).toEqual([]);
  });

  test("takes both spellings of an accent for the same tag", () => {
    expect(parseTagList(["café", "cafe\u0301"])).toEqual(["café"]);
  });
});

describe("checkTags", () => {
  test.each([
    [["a", "b", "c", "d", "e"], "Tag list exceed the maximum of 4 tags"],
    [["#foo"], 'Tag "#foo" contains non-alphanumeric or prohibited unicode characters'],
    [["node.js"], 'Tag "node.js" contains non-alphanumeric or prohibited unicode characters'],
    [["two words"], 'Tag "two words" contains non-alphanumeric or prohibited unicode characters'],
    [["\u0301"], 'Tag "\u0301" contains non-alphanumeric or prohibited unicode characters'],
    [["x".repeat(31)], `Tag "${"x".repeat(31)}" is too long (maximum is 30 characters)`],
    [["x".repeat(5000)], `Tag "${"x".repeat(60)}..." is too long (maximum is 30 characters)`],
  ])("refuses %j", (tags, sentence) => {
    expect(() => checkTags(tags)).toThrow(expect.objectContaining({ code: "invalid", message: sentence }));
  });
});

describe("tagsOfNames", () => {
  test.each([
    ["Node.js", "nodejs"],
    ["C#", "csharp"],
    ["c# 12", "csharp12"],
    ["F#", "fsharp"],
    ["C++", "cpp"],
    ["C++20", "cpp20"],
    [".NET", "dotnet"],
    ["C# / .NET Core", "csharpdotnetcore"],
    ["ASP.NET", "aspnet"],
    ["R&D", "rd"],
    ["Tips & Tricks", "tipstricks"],
    ["Machine Learning", "machinelearning"],
    ["web-dev", "webdev"],
    ["snake_case", "snakecase"],
    ["#looms", "looms"],
    ["Öl & Essig", "ölessig"],
    ["हिन्दी में", "हिन्दीमें"],
    ["中文 🎉", "中文"],
  ])("makes of the name %s the tag %s", (name, tag) => {
    expect(tagsOfNames([name])).toEqual({ tags: [tag], others: [] });
    expect(() => checkTags([tag])).not.toThrow();
  });

  test("makes one tag of names that give the same, and says which names give none", () => {
    const long = "l".repeat(31);
    expect(tagsOfNames(["Web Dev", "web-dev", "+", "\u0301", long, "a", "b", "c, a,", "D"])).toEqual({
      tags: ["webdev", "a", "b", "c"],
      others: [
        { name: "+", reason: "it has neither letters nor digits" },
        { name: "\u0301", reason: "it has neither letters nor digits" },
        { name: long, reason: "it has more than 30 characters" },
        { name: "D", reason: "an article has at most 4 tags" },
      ],
    });
  });
});
