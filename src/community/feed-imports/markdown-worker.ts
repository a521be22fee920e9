import { answerQuestions } from "../../platform/jobs/worker-side.ts";
import { toMarkdown } from "./to-markdown.ts";

answerQuestions(toMarkdown);
