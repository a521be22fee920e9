// A process of its own, to compare with: a server that knows all its answers, and does as little as possible for each.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Answer } from "./http.ts";

export interface BareOrder {
  answers: Answer[];
  /** Whether each answer is made from its objects again, as a server without any database would do. */
  stringifies: boolean;
}

process.on("message", ({ answers, stringifies }: BareOrder) => {
  const senders = answers.map(stringifies ? stringify : sendBytes);
  let count = 0;
  const server = createServer((_request, response) => {
    senders[count % senders.length]?.(response);
    count += 1;
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
});

type Send = (response: ServerResponse) => void;

function sendBytes({ status, headers, body }: Answer): Send {
  return (response) => response.writeHead(status, headers).end(body);
}

function stringify({ status, headers, body }: Answer): Send {
  const page: unknown = JSON.parse(Buffer.from(body).toString());
  const length = headers.findIndex((name, place) => place % 2 === 0 && /^content-length$/i.test(name));
  const others = length < 0 ? headers : headers.toSpliced(length, 2);
  return (response) => {
    const text = JSON.stringify(page);
    response.writeHead(status, [...others, "content-length", String(Buffer.byteLength(text))]).end(text);
  };
}
