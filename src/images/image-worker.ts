import { type ImageLimits, type Picture, reencode, Refused } from "./decode.ts";

export interface Question {
  bytes: Buffer;
  limits: ImageLimits;
}

/** What the process answers: once that it is ready, then one per picture. */
export type Answer = { ready: true } | { picture: Picture } | { refusal: string } | { failure: string };

process.on("message", (question: Question) => {
  void respond(question).then(answer);
});
// The server is gone, however it went.
process.on("disconnect", () => process.exit(0));
answer({ ready: true });

function answer(message: Answer): void {
  process.send?.(message);
}

async function respond({ bytes, limits }: Question): Promise<Answer> {
  try {
    return { picture: await reencode(Buffer.from(bytes), limits) };
  } catch (error) {
    return error instanceof Refused ? { refusal: error.message } : { failure: String(error) };
  }
}
