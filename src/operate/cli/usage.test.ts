import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { everyCommand } from "../../../test/commands.ts";
import { VERSION } from "../../platform/config.ts";
import { run } from "./run.ts";

const names = await everyCommand();
let out: string;
let err: string;
beforeEach(() => {
  out = "";
  err = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => ((out += String(text)), true));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((err += String(text)), true));
});
afterEach(() => vi.restoreAllMocks());

describe("help", () => {
  test.each(names)("of %s has a description and an example", async (command) => {
    expect(await run([...command.split(" "), "--help"])).toBe(0);
    expect(err).toBe("");
    expect(out).toMatch(/^Usage: inkstone .*\n\n\w[^]*\nExamples?:\n {2}/);
  });

  test("is shown for want of a command, as wrong usage", async () => {
    expect(await run([])).toBe(2);
    expect(out).toBe("");
    expect(err).toMatch(/^Usage: inkstone/);
  });

  test("begins with the commands that every site needs", async () => {
    await run(["--help"]);
    const [, needed = "", others = ""] =
      /\nTo begin with:\n([^]+?)\n\nCommands:\n([^]+?)\n\n/.exec(out) ?? [];
    const namesIn = (part: string) => [...part.matchAll(/^ {2}(\S+)/gm)].map((match) => match[1]);
    expect(namesIn(needed)).toEqual(["serve", "user", "import", "backup", "doctor", "settings"]);
    const all = new Set(names.map((name) => name.split(" ")[0]));
    expect(new Set([...namesIn(needed), ...namesIn(others)])).toEqual(all.add("help"));
  });

  test("knows the version", async () => {
    expect(await run(["--version"])).toBe(0);
    expect(out).toBe(`${VERSION}\n`);
  });
});

describe("wrong usage", () => {
  test.each([
    ["nonsense", "Unknown command 'nonsense'. See `inkstone --help`.\n"],
    ["serv", "Unknown command 'serv' (Did you mean serve?). See `inkstone --help`.\n"],
    ["migrate --fast", "Unknown option '--fast'. See `inkstone migrate --help`.\n"],
    [
      "user create --username x --name x --nmae x",
      "Unknown option '--nmae' (Did you mean --name?). See `inkstone user create --help`.\n",
    ],
    ["import", "Missing required argument 'file'. See `inkstone import --help`.\n"],
    [
      "user create --name x",
      "Required option '--username <username>' not specified. See `inkstone user create --help`.\n",
    ],
    [
      "user create --username x --name x --role boss",
      "Option '--role <role>' argument 'boss' is invalid. Allowed choices are member, moderator, admin. See `inkstone user create --help`.\n",
    ],
    [
      "key create --user x --description y --expires soon",
      "Option '--expires <date>' argument 'soon' is invalid. It must be a date like 2027-01-31 or a time like 2027-01-31T09:15:00Z. See `inkstone key create --help`.\n",
    ],
  ])("is one line and exit code 2: %s", async (args, sentence) => {
    expect(await run(args.split(" "))).toBe(2);
    expect({ out, err }).toEqual({ out: "", err: `inkstone: ${sentence}` });
  });

  test("is JSON with --json", async () => {
    expect(await run(["settings", "set", "a", "--json"])).toBe(2);
    expect(JSON.parse(err)).toEqual({
      error: "Missing required argument 'value'. See `inkstone settings set --help`.",
    });
  });
});
