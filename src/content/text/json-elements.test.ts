import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { type Element, jsonElements } from "./json-elements.ts";

/** The elements of a text that arrives in pieces of this many bytes. */
async function read(
  text: string | Buffer,
  { paths = ["data.posts"], size = 1_000 } = {},
): Promise<Element[]> {
  const bytes = Buffer.from(text);
  const count = Math.ceil(bytes.length / size);
  const chunks = Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  const found: Element[] = [];
  const options = { name: "x.json", isWanted: (path: string) => paths.includes(path) };
  for await (const element of jsonElements(Readable.from(chunks), options)) found.push(element);
  return found;
}

const DATA = {
  note: 'brackets ]}[{ and a quote " and \\',
  data: {
    posts: [{ title: 'a "b", c] é 😀', posts: [[1], { posts: [2] }] }, 2, "three, ]", null, [["four"]], true],
    tags: [],
    "a.b": [1],
    users: [{ id: 1 }],
  },
};

describe("elements of arrays", () => {
  test.each([1, 2, 7, 1_000])("are found in pieces of %i bytes", async (size) => {
    const wanted = DATA.data.posts.map((value) => ({ path: "data.posts", value }));
    expect(await read(JSON.stringify(DATA), { size })).toEqual(wanted);
    expect(await read(JSON.stringify(DATA, null, 2), { size })).toEqual(wanted);
  });

  test("are found at several paths, in the order of the file", async () => {
    const found = await read(JSON.stringify(DATA), { paths: ["data.users", "data.tags", "note"] });
    expect(found).toEqual([{ path: "data.users", value: { id: 1 } }]);
  });

  test("are found at the top", async () => {
    expect(await read('\ufeff[1, [2], {"a": [3]}]', { paths: [""] })).toEqual([
      { path: "", value: 1 },
      { path: "", value: [2] },
      { path: "", value: { a: [3] } },
    ]);
  });

  test("are none in what has no such array", async () => {
    expect(await read("")).toEqual([]);
    expect(await read('"data.posts"')).toEqual([]);
    expect(await read('{"data": {"posts": {"data": {"posts": [1]}}}}')).toEqual([]);
  });
});

describe("a refusal", () => {
  test.each([
    [
      "an element that isn't JSON",
      '{"data":{"posts":[{"a":1},{"b":x}]}}',
      /the element that begins with "\{\\"b\\":x\}" isn't JSON: unexpected "x" at character 6\.$/,
    ],
    ["a file that was cut", '{"data":{"posts":[{"a":1}', /ends too early/],
    ["brackets that don't match", '{"data":{"posts":[1}}', /a bracket closes nothing/],
    ["deep brackets", "[".repeat(20_000), /nested more than 200 levels deep/],
    ["another encoding", Buffer.from('{"data":{"posts":["\u00e4"]}}', "latin1"), /isn't valid UTF-8/],
  ])("names the file for %s", async (_name, text, sentence) => {
    await expect(read(text)).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(sentence),
    });
    await expect(read(text)).rejects.toThrow(/^x\.json can't be read: /);
  });

  test("comes for an element of more than 32 MiB before the file is read to its end", async () => {
    async function* endless() {
      yield Buffer.from('{"data":{"posts":["');
      for (;;) yield Buffer.alloc(1024 * 1024, "a");
    }
    const options = { name: "x.json", isWanted: () => true };
    await expect(async () => {
      for await (const _ of jsonElements(endless(), options));
    }).rejects.toThrow("x.json can't be read: one of its elements has more than 32 MiB.");
  });
});
