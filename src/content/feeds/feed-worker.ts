import { answerQuestions } from "../../platform/jobs/worker-side.ts";
import { readFeed } from "./read-feed.ts";

export interface Question {
  body: Uint8Array;
  contentType: string | undefined;
  url: string;
}

answerQuestions(({ body, contentType, url }: Question) => readFeed(body, contentType, url));
