import { answerQuestions } from "../../platform/jobs/worker-side.ts";
import { type Card, drawCard } from "./draw-card.ts";
import { type ImageLimits, type Picture, reencode, squares } from "./decode.ts";

export type Question = { bytes: Buffer; limits: ImageLimits; sides?: readonly number[] } | { card: Card };

answerQuestions(async (question: Question): Promise<Picture[]> => {
  if ("card" in question) return [await drawCard(question.card)];
  const { limits, sides } = question;
  const bytes = Buffer.from(question.bytes);
  return sides === undefined ? [await reencode(bytes, limits)] : squares(bytes, limits, sides);
});
