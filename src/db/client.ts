import type { Duplex } from "node:stream";
import pg from "pg";
import { failureCode } from "./failures.ts";
import { nameOf } from "./prepared.ts";

export interface ClientOptions {
  /** The time after which a connection without an answer is broken; undefined waits forever. */
  patienceMs: number | undefined;
  /** Whether connections keep prepared statements; a client that finds they don't sets it to false. */
  preparing: { isOn: boolean };
  onUnprepared: () => void;
}

/**
 * A client that prepares the statements registered by `prepare`, as long as its connections keep them, and
 * that breaks its connection when an answer doesn't come: a hanging database can't time out its own
 * statements, and a connection that still waits must not go back to the pool.
 */
export function clientWith({ patienceMs, preparing, onUnprepared }: ClientOptions): typeof pg.Client {
  return class extends pg.Client {
    // The signature has many overloads; all but (text, values) pass unchanged.
    override query(...given: unknown[]): never {
      const [text, values] = given;
      const name = preparing.isOn && typeof text === "string" ? nameOf(text) : undefined;
      const answer =
        name === undefined
          ? (Reflect.apply(super.query, this, given) as unknown)
          : this.#prepared({ name, text: text as string, values: values as unknown[] });
      if (patienceMs !== undefined && answer instanceof Promise) void this.#giveUpLate(answer, patienceMs);
      return answer as never;
    }

    async #prepared(statement: { name: string; text: string; values: unknown[] }): Promise<unknown> {
      try {
        return await super.query(statement);
      } catch (error) {
        if (!isUnprepared(error)) throw error;
        if (preparing.isOn) onUnprepared();
        preparing.isOn = false;
        return super.query(statement.text, statement.values).catch((again: unknown) => {
          // Within a transaction, which has failed by now and can be repeated as a whole.
          throw failureCode(again) === "25P02" ? error : again;
        });
      }
    }

    async #giveUpLate(answer: Promise<unknown>, afterMs: number): Promise<void> {
      const { stream } = (this as unknown as { connection: { stream: Duplex } }).connection;
      const timer = setTimeout(() => stream.destroy(), afterMs);
      await answer.catch(() => {});
      clearTimeout(timer);
    }
  };
}

/** A pooler gave this client another server connection: the statement is missing there, or was prepared by another client. */
function isUnprepared(error: unknown): boolean {
  return ["26000", "42P05"].includes(failureCode(error));
}
