import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { invalid, unavailable } from "../errors.ts";
import type { Picture } from "./decode.ts";
import type { Answer, Question } from "./image-worker.ts";

interface Job {
  question: Question;
  resolve: (pictures: Picture[]) => void;
  reject: (error: Error) => void;
}

/** Loading takes a fraction of a second; this long means that it never will. */
const START_DEADLINE_MS = 30_000;

/** The first card of a process waits until all fonts of the computer have been looked at, which may be many. */
const CARD_DEADLINE_MS = 20_000;

/** A process without work gives its memory back after so long. */
const IDLE_MS = 30_000;

/**
 * A process that handles one picture at a time. It is one of its own because a decoder that hangs or
 * breaks can't be stopped otherwise, and because its memory goes with it.
 */
export class ImageProcess {
  readonly #child: ChildProcess;
  readonly #deadlineMs: number;
  #isReady = false;
  #job: Job | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ending: Error | undefined;

  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
    this.#child = fork(workerFile(), {
      execArgv: workerArguments(),
      // Nothing in there is its business. One pool of memory is less to keep than one per thread.
      env: { MALLOC_ARENA_MAX: "2", VIPS_WARNING: "0" },
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#child.on("message", (answer: Answer) => this.#hear(answer));
    this.#child.on("error", (error) => this.#end(error));
    this.#child.on("exit", () => this.#end(this.#accident()));
    this.#rest();
  }

  /** False once a picture, an accident or a long rest has ended the process. */
  get isAlive(): boolean {
    return this.#ending === undefined;
  }

  /** The process's number, for whoever measures it. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** To be asked again only when the last picture is answered. */
  ask(question: Question): Promise<Picture[]> {
    return new Promise((resolve, reject) => {
      if (this.#ending !== undefined) return reject(this.#ending);
      this.#job = { question, resolve, reject };
      this.#child.ref();
      this.#child.channel?.ref();
      if (this.#isReady) this.#start();
      else this.#arm(START_DEADLINE_MS, new Error("The image process does not start."));
    });
  }

  stop(): void {
    this.#end(unavailable());
  }

  #hear(answer: Answer): void {
    if ("ready" in answer) {
      this.#isReady = true;
      this.#start();
    }
    if ("pictures" in answer) {
      const pictures = answer.pictures.map((each) => ({ ...each, bytes: Buffer.from(each.bytes) }));
      this.#settle()?.resolve(pictures);
    }
    if ("refusal" in answer) this.#settle()?.reject(invalid(answer.refusal));
    if ("failure" in answer) this.#settle()?.reject(new Error(answer.failure));
  }

  /** The deadline counts from here, when the process has loaded. */
  #start(): void {
    if (this.#job === undefined) return;
    const { question } = this.#job;
    this.#child.send(question);
    const patience = "card" in question ? CARD_DEADLINE_MS : this.#deadlineMs;
    this.#arm(patience, invalid("Image takes too long to read: send a smaller one"));
  }

  #arm(ms: number, error: Error): void {
    clearTimeout(this.#timer);
    const job = this.#job;
    // An answer that came while this process was busy is read before the deadline is judged.
    const judge = () => this.#job === job && this.#end(error);
    this.#timer = setTimeout(() => setImmediate(judge), ms);
  }

  #settle(): Job | undefined {
    const job = this.#job;
    this.#job = undefined;
    this.#rest();
    return job;
  }

  /** Waits for work, without keeping this process alive. */
  #rest(): void {
    clearTimeout(this.#timer);
    this.#child.unref();
    this.#child.channel?.unref();
    if (this.#ending === undefined) this.#timer = setTimeout(() => this.#end(unavailable()), IDLE_MS).unref();
  }

  /** What an end that nobody asked for means: a picture can break a decoder, but not keep it from starting. */
  #accident(): Error {
    return this.#isReady
      ? invalid("Image can't be read: it breaks the decoder")
      : new Error("The image process ended before it was ready.");
  }

  #end(error: Error): void {
    this.#ending ??= error;
    this.#settle()?.reject(error);
    this.#child.kill("SIGKILL");
  }
}

/** The worker beside this file, as source or compiled. */
function workerFile(): string {
  return fileURLToPath(new URL(isSource() ? "./image-worker.ts" : "./image-worker.js", import.meta.url));
}

/** Teaches a Node that does not read TypeScript by itself. */
function workerArguments(): string[] {
  const readsTypeScript = "typescript" in process.features && Boolean(process.features.typescript);
  return isSource() && !readsTypeScript ? ["--import", import.meta.resolve("tsx")] : [];
}

function isSource(): boolean {
  return import.meta.url.endsWith(".ts");
}
