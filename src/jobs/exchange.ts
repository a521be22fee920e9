/** A worker at the other end, be it a thread or a process. */
export interface Worker<Question> {
  send(question: Question): void;
  /** Ends it at once, whatever it does. */
  kill(): void;
  /** Says whether it keeps this process alive. */
  hold(isHeld: boolean): void;
}

interface Deadline {
  ms: number;
  error: Error;
}

interface Rules<Question> {
  /** What somebody is told whose worker doesn't even start. */
  startFailure: string;
  /** How long the answer to a question may take. */
  deadlineOf: (question: Question) => Deadline;
  /** When a worker without work is ended, if ever. */
  idle?: Deadline;
}

interface Job<Question, Answer> {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

/** Loading takes a fraction of a second; this long means that it never will. */
const START_DEADLINE_MS = 30_000;

/** Asks a worker one question at a time, each with a deadline that costs the worker its life. */
export class Exchange<Question, Answer> {
  readonly #worker: Worker<Question>;
  readonly #rules: Rules<Question>;
  #isReady = false;
  #job: Job<Question, Answer> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ending: Error | undefined;

  constructor(worker: Worker<Question>, rules: Rules<Question>) {
    this.#worker = worker;
    this.#rules = rules;
    this.#rest();
  }

  /** False once a question, an accident or a long rest has ended the worker. */
  get isAlive(): boolean {
    return this.#ending === undefined;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** To be called again only when the last question is answered. */
  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#ending !== undefined) return reject(this.#ending);
      this.#job = { question, resolve, reject };
      this.#worker.hold(true);
      if (this.#isReady) this.#start();
      else this.#arm({ ms: START_DEADLINE_MS, error: new Error(this.#rules.startFailure) });
    });
  }

  /** The worker has loaded. */
  begin(): void {
    this.#isReady = true;
    this.#start();
  }

  resolve(answer: Answer): void {
    this.#settle()?.resolve(answer);
  }

  reject(error: Error): void {
    this.#settle()?.reject(error);
  }

  /** Ends the worker; the first reason given is the one that counts. */
  end(error: Error): void {
    this.#ending ??= error;
    this.#settle()?.reject(error);
    this.#worker.kill();
  }

  /** The deadline counts from here. */
  #start(): void {
    if (this.#job === undefined) return;
    const { question } = this.#job;
    this.#worker.send(question);
    this.#arm(this.#rules.deadlineOf(question));
  }

  #arm({ ms, error }: Deadline): void {
    clearTimeout(this.#timer);
    const job = this.#job;
    // An answer that came while this thread was busy is read before the deadline is judged.
    const judge = () => this.#job === job && this.end(error);
    this.#timer = setTimeout(() => setImmediate(judge), ms);
  }

  #settle(): Job<Question, Answer> | undefined {
    const job = this.#job;
    this.#job = undefined;
    this.#rest();
    return job;
  }

  /** Waits for work, without keeping this process alive. */
  #rest(): void {
    clearTimeout(this.#timer);
    this.#worker.hold(false);
    const { idle } = this.#rules;
    if (idle !== undefined && this.isAlive)
      this.#timer = setTimeout(() => this.end(idle.error), idle.ms).unref();
  }
}
