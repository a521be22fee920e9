import { list } from "isbot";
import { describe, expect, test } from "vitest";
import { isBot, LIBRARIES } from "./counting.ts";

const BROWSER =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

describe("a bot", () => {
  test.each([
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    "facebookexternalhit/1.1",
    "Slackbot-LinkExpanding 1.0",
    "Feedly/1.0 (+http://www.feedly.com/fetcher.html)",
    "Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/140.0.0.0 Safari/537.36",
    "UptimeRobot/2.0",
  ])("%s is one", (name) => expect(isBot(name)).toBe(true));

  test.each([
    BROWSER,
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    "",
    "node",
    "curl/8.5.0",
    "python-requests/2.31.0",
    "okhttp/4.12.0",
    "Go-http-client/2.0",
    "LoomReader/1.0 (Android 15)",
  ])("%j is none: people read with programs too", (name) => expect(isBot(name)).toBe(false));

  test("is recognized by a list without the libraries", () => {
    expect([...LIBRARIES].filter((pattern) => !list.includes(pattern))).toEqual([]);
  });
});
