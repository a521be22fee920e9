import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../test/setup.ts";
import { verify } from "../../../test/webhooks.ts";
import { payloadOf } from "./queue.ts";
import { makeSecret, type Secrets, signedHeaders } from "./signing.ts";

const NOW = new Date("2026-03-31T12:00:00.750Z");
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const only = (secret: string): Secrets => ({ secret, previous_secrets: [] });

/** Names of every kind of character, and now and then as long as a delivery may be. */
const texts = fc.oneof(
  { weight: 20, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
  { weight: 20, arbitrary: fc.string({ unit: "grapheme", maxLength: 200 }) },
  fc.constantFrom("\u{2028}\u{2029}", "🧶🪡", "\\\"'</script>", "é".repeat(9_900), "x".repeat(19_900)),
);

describe("a signature", () => {
  test("is accepted by the public package, whatever is signed", () => {
    const secret = makeSecret();
    fc.assert(
      fc.property(texts, texts, (title, id) => {
        const data = { title, body_html: id };
        const body = payloadOf("article_published", NOW, data);
        const headers = signedHeaders({ id: "msg_1", body }, only(secret), NOW);
        expect(verify({ headers, body }, secret, NOW)).toEqual(JSON.parse(body));
      }),
      { numRuns: cases(1_000, 100) },
    );
  });

  test("is refused for another text, id, date or secret", () => {
    const secret = makeSecret();
    const body = '{"type":"ping"}';
    const headers = signedHeaders({ id: "msg_1", body }, only(secret), NOW);
    const refusals = [
      { headers, body: `${body} ` },
      { headers: { ...headers, "webhook-id": "msg_2" }, body },
      {
        headers: { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) },
        body,
      },
    ];
    for (const refused of refusals) {
      expect(() => verify(refused, secret, NOW)).toThrow("No matching signature found");
    }
    expect(() => verify({ headers, body }, makeSecret(), NOW)).toThrow("No matching signature found");
  });

  test("is good for five minutes on either side", () => {
    const secret = makeSecret();
    const headers = signedHeaders({ id: "msg_1", body: "{}" }, only(secret), NOW);
    const at = (seconds: number) => verify({ headers, body: "{}" }, secret, later(seconds));
    for (const seconds of [-299, 299]) expect(at(seconds)).toEqual({});
    expect(() => at(301)).toThrow("Message timestamp too old");
    expect(() => at(-301)).toThrow("Message timestamp too new");
  });

  test("is made with every secret that is given", () => {
    const all = [makeSecret(), makeSecret(), makeSecret()];
    const [secret = "", ...previous_secrets] = all;
    const headers = signedHeaders({ id: "msg_1", body: "{}" }, { secret, previous_secrets }, NOW);
    expect(headers["webhook-signature"]?.split(" ")).toHaveLength(3);
    for (const one of all) expect(verify({ headers, body: "{}" }, one, NOW)).toEqual({});
  });
});
