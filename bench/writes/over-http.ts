import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";

export interface Sent {
  method: "POST" | "PUT" | "GET";
  path: string;
  key: string;
  body?: object;
}

interface Sender {
  send(sent: Sent): Promise<Buffer>;
  close(): void;
}

/** Sends requests over as many connections as are used at once; an answer that is a refusal is an error. */
export function createSender(baseUrl: string): Sender {
  const agent = new Agent({ keepAlive: true });
  return {
    async send({ method, path, key, body }) {
      const headers = { "api-key": key, ...(body && { "content-type": "application/json" }) };
      const asked = request(new URL(path, baseUrl), { agent, method, headers });
      asked.end(body && JSON.stringify(body));
      const [answer] = (await once(asked, "response")) as [IncomingMessage];
      const bytes = await buffer(answer);
      if (answer.statusCode === 200 || answer.statusCode === 201) return bytes;
      throw new Error(`${method} ${path} returned ${answer.statusCode}: ${String(bytes)}`);
    },
    close: () => agent.destroy(),
  };
}
