import type { Card } from "./card.ts";
import { type ImageLimits, type Picture, reencode, Refused, squares } from "./decode.ts";
import { drawCard } from "./draw-card.ts";

/** What the process is asked for: a picture made anew, squares of one, or a card. */
export type Question = { bytes: Buffer; limits: ImageLimits; sides?: readonly number[] } | { card: Card };

/** What the process answers: once that it is ready, then one per question. */
export type Answer = { ready: true } | { pictures: Picture[] } | { refusal: string } | { failure: string };

process.on("message", (question: Question) => {
  void respond(question).then(answer);
});
// Ctrl-C and a stopping computer signal every process of a group; the server may still want its pictures.
process.on("SIGINT", ignore).on("SIGTERM", ignore).on("SIGHUP", ignore);
// The server is gone, however it went.
process.on("disconnect", () => process.exit(0));
answer({ ready: true });

function ignore(): void {}

function answer(message: Answer): void {
  process.send?.(message);
}

async function respond(question: Question): Promise<Answer> {
  try {
    return { pictures: await makePictures(question) };
  } catch (error) {
    return error instanceof Refused ? { refusal: error.message } : { failure: String(error) };
  }
}

async function makePictures(question: Question): Promise<Picture[]> {
  if ("card" in question) return [await drawCard(question.card)];
  const { limits, sides } = question;
  const bytes = Buffer.from(question.bytes);
  return sides === undefined ? [await reencode(bytes, limits)] : squares(bytes, limits, sides);
}
