import { compareSync } from "bcryptjs";
import { answerQuestions } from "../../platform/jobs/worker-side.ts";
import type { BcryptQuestion } from "./password-hash.ts";

answerQuestions(({ password, stored }: BcryptQuestion) => compareSync(password, stored));
