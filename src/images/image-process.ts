import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { invalid, unavailable } from "../errors.ts";
import { Exchange } from "../jobs/exchange.ts";
import { needsLoader, workerModule } from "../jobs/worker-module.ts";
import type { Picture } from "./decode.ts";
import type { Answer, Question } from "./image-worker.ts";

/** The first card of a process waits until all fonts of the computer have been looked at, which may be many. */
const CARD_DEADLINE_MS = 20_000;

/** A process without work gives its memory back after so long. */
const IDLE_MS = 30_000;

/** The signals by which a process ends that does something wrong; all others come from elsewhere. */
const CRASHES = new Set(["SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP"]);

/**
 * A process that handles one picture at a time. It is one of its own because a decoder that hangs or
 * breaks can't be stopped otherwise, and because its memory goes with it.
 */
export class ImageProcess {
  readonly #child: ChildProcess;
  readonly #exchange: Exchange<Question, Picture[]>;

  constructor(deadlineMs: number) {
    const child = start();
    this.#child = child;
    const deadlineOf = (question: Question) => ({
      ms: "card" in question ? CARD_DEADLINE_MS : deadlineMs,
      error: invalid("Image takes too long to read: send a smaller one"),
    });
    this.#exchange = new Exchange(
      { send: (question) => child.send(question), kill: () => child.kill("SIGKILL"), hold: holder(child) },
      {
        startFailure: "The image process does not start.",
        deadlineOf,
        idle: { ms: IDLE_MS, error: unavailable() },
      },
    );
    child.on("message", (answer: Answer) => this.#hear(answer));
    child.on("error", (error) => this.#exchange.end(error));
    child.on("exit", (code, signal) => this.#exchange.end(this.#accident(code, signal)));
  }

  /** False once a picture, an accident or a long rest has ended the process. */
  get isAlive(): boolean {
    return this.#exchange.isAlive;
  }

  /** The process's number, for whoever measures it. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** To be asked again only when the last picture is answered. */
  ask(question: Question): Promise<Picture[]> {
    return this.#exchange.ask(question);
  }

  stop(): void {
    this.#exchange.end(unavailable());
  }

  #hear(answer: Answer): void {
    if ("ready" in answer) this.#exchange.begin();
    if ("pictures" in answer) {
      this.#exchange.resolve(answer.pictures.map((each) => ({ ...each, bytes: Buffer.from(each.bytes) })));
    }
    if ("refusal" in answer) this.#exchange.reject(invalid(answer.refusal));
    if ("failure" in answer) this.#exchange.reject(new Error(answer.failure));
  }

  /** What an end that nobody here asked for means. Only a crash with a picture in hand is the picture's fault. */
  #accident(code: number | null, signal: string | null): Error {
    const isCrash = signal !== null && CRASHES.has(signal);
    if (isCrash && this.#exchange.isReady) return invalid("Image can't be read: it breaks the decoder");
    const error = new Error(`The image process ended with ${signal ?? `code ${code}`}.`);
    // Whoever sends signals ends processes, for want of memory or because the computer stops.
    return signal === null || isCrash ? error : unavailable(error);
  }
}

function start(): ChildProcess {
  return fork(fileURLToPath(workerModule("images/image-worker")), {
    execArgv: needsLoader() ? ["--import", import.meta.resolve("tsx")] : [],
    // Nothing in there is its business. One pool of memory is less to keep than one per thread.
    env: { MALLOC_ARENA_MAX: "2", VIPS_WARNING: "0" },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}

function holder(child: ChildProcess): (isHeld: boolean) => void {
  return (isHeld) => {
    if (isHeld) {
      child.ref();
      child.channel?.ref();
    } else {
      child.unref();
      child.channel?.unref();
    }
  };
}
