import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Reply } from "../world.ts";
import { CANARY, type Cast, type Role, startCast, STATES } from "./cast.ts";

type Hidden = Awaited<ReturnType<Cast["article"]>>;

let cast: Cast;
let hidden: Hidden[];
beforeAll(async () => {
  cast = await startCast();
  hidden = [];
  for (const state of STATES.filter((one) => one !== "published")) {
    hidden.push(await cast.article(cast.people.owner, state));
  }
});
afterAll(() => cast.world.stop());

function post(role: Role, article: object, headers: Record<string, string> = {}): Promise<Reply> {
  const key = cast.keyOf(role);
  return cast.world.request({ method: "POST", url: "/api/articles", key, headers, body: { article } });
}

const shown = ({ text, headers }: Reply) => `${text} ${JSON.stringify(headers)}`;

describe("no sentence reveals to others what isn't public", () => {
  const OTHERS = ["stranger", "member", "moderator"] as const;
  let serial = 0;
  const article = (fields: object) => ({ title: `Mine ${++serial}`, body_markdown: "Words.", ...fields });

  test.each(OTHERS)("when %s claims its canonical URL, title, series or collection", async (role) => {
    for (const one of hidden) {
      for (const published of [true, false]) {
        const { canonical_url, title, collection_id } = one;
        const sent = [{ canonical_url }, { title }, { collection_id }, { series: title }];
        for (const fields of sent) {
          const reply = await post(role, article({ ...fields, published }));
          // What was sent comes back; nothing else may.
          const own = [canonical_url ?? "", title, title.replaceAll(" ", "-")];
          const rest = own.reduce((text, part) => text.replaceAll(part, ""), shown(reply));
          expect([one.state, fields, reply.status, rest.includes(CANARY)]).toEqual([
            one.state,
            fields,
            reply.status,
            false,
          ]);
          expect([201, 422]).toContain(reply.status);
        }
      }
    }
    expect(cast.world.bugs).toEqual([]);
  });

  test("a collection is the owner's, whatever is in it, and one that isn't there is refused alike", async () => {
    const { collection_id } = hidden[0] as Hidden;
    const foreign = await post("stranger", article({ collection_id }));
    const unknown = await post("stranger", article({ collection_id: 2_000_000_000 }));
    expect([foreign.status, foreign.text]).toEqual([422, unknown.text]);
  });
});
