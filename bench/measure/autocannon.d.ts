/** The part of autocannon that the bench uses; the package has no types. */
declare module "autocannon" {
  import type { EventEmitter } from "node:events";

  namespace autocannon {
    interface Request {
      method?: "GET";
      path: string;
      headers?: Record<string, string>;
    }
    interface Client extends EventEmitter {
      setRequests(requests: Request[]): void;
      on(event: "request", listener: () => void): this;
    }
    interface Options {
      url: string;
      connections: number;
      /** In seconds. */
      duration: number;
      setupClient(client: Client): void;
    }
    interface Result {
      errors: number;
      duration: number;
      /** In bytes. */
      throughput: { total: number };
      statusCodeStats: Record<string, { count: number }>;
    }
    interface Instance extends EventEmitter, PromiseLike<Result> {
      on(
        event: "response",
        listener: (...response: [Client, number, number, milliseconds: number]) => void,
      ): this;
    }
  }

  function autocannon(options: autocannon.Options): autocannon.Instance;
  export = autocannon;
}
