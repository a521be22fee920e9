import type { Duplex } from "node:stream";
import pg from "pg";
import { failureCode } from "./failures.ts";
import { nameOf } from "./prepared.ts";

/** Whether connections prepare statements. The pools of one database share it. */
export interface Preparing {
  isOn: boolean;
  /** Called once, when connections do not keep prepared statements. */
  onOff?: () => void;
}

export interface ClientOptions {
  /** A connection without an answer for this long is broken; undefined waits forever. */
  patienceMs: number | undefined;
  preparing: Preparing;
}

interface Statement {
  name: string;
  text: string;
  values?: unknown[];
}

/**
 * A client that prepares named statements while its connections keep them, and breaks its connection when an answer
 * is late: a hanging database can't time out its own statements.
 */
export function clientWith({ patienceMs, preparing }: ClientOptions): typeof pg.Client {
  return class extends pg.Client {
    // The signature has many overloads; all but two pass unchanged.
    override query(...given: unknown[]): never {
      const statement = named(given);
      const answer =
        statement === undefined
          ? (Reflect.apply(super.query, this, given) as unknown)
          : this.#prepared(statement);
      if (patienceMs !== undefined && answer instanceof Promise) void this.#giveUpLate(answer, patienceMs);
      return answer as never;
    }

    async #prepared({ text, values, ...statement }: Statement): Promise<unknown> {
      if (!preparing.isOn) return super.query(text, values);
      try {
        return await super.query({ ...statement, text, values: values ?? [] });
      } catch (error) {
        if (!isUnprepared(error)) throw error;
        if (preparing.isOn) preparing.onOff?.();
        preparing.isOn = false;
        return super.query(text, values).catch((again: unknown) => {
          // The transaction has failed, and can be repeated as a whole.
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

function named([first, values, ...others]: unknown[]): Statement | undefined {
  if (typeof first === "string") {
    const name = nameOf(first);
    return name === undefined ? undefined : { name, text: first, values: values as unknown[] };
  }
  const isNamed =
    values === undefined && others.length === 0 && typeof (first as Statement | null)?.name === "string";
  return isNamed ? (first as Statement) : undefined;
}

/** A pooler gave this client another server connection. */
function isUnprepared(error: unknown): boolean {
  return ["26000", "42P05"].includes(failureCode(error));
}
