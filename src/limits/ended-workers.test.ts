import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createChannels } from "../../test/channels.ts";
import { createLedger } from "./ledger.ts";

test("a message that arrives when its worker is gone takes nothing", async () => {
  const serve = createLedger();
  const ask = async (end: ReturnType<typeof createChannels>) => {
    end.parent.send({ kind: "tokens", asks: [["take", "a", 0, 4]] });
    // Messages take their way by timers.
    await sleep(5);
  };
  for (let kill = 0; kill < 4; kill++) {
    const gone = createChannels();
    serve(gone.worker);
    gone.close();
    await ask(gone);
  }
  const next = createChannels();
  serve(next.worker);
  const answers: unknown[] = [];
  next.parent.onMessage("tokens", (message) => void answers.push(message));
  await ask(next);
  await expect.poll(() => answers.length).toBe(1);
  expect(answers).toEqual([
    { kind: "tokens", answers: [expect.objectContaining({ isAllowed: true, remaining: 3 })] },
  ]);
});
