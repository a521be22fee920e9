import { answerQuestions } from "../src/platform/jobs/worker-side.ts";

const CELL = new Int32Array(new SharedArrayBuffer(4));

/** Takes this time, working or resting as a thread does whose processor has other work. */
answerQuestions(({ work = 0, rest = 0 }: { work?: number; rest?: number }): string => {
  const end = performance.now() + work;
  while (performance.now() < end);
  Atomics.wait(CELL, 0, 0, rest);
  return "done";
});
