// A process of its own: the least that Node needs to send the same answers, to compare with.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Answer } from "./orders.ts";

process.on("message", (answers: Answer[]) => {
  let count = 0;
  const server = createServer((_request, response) => {
    const { status, headers, body } = answers[count % answers.length] as Answer;
    count += 1;
    response.writeHead(status, headers).end(body);
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
});
