import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { signedHeaders } from "../src/community/webhooks/signing.ts";
import { makeSecret } from "../src/community/webhooks/signing.ts";
import { deliveringForEach } from "./events.ts";

const ROOT = join(import.meta.dirname, "..");
const page = readFileSync(join(ROOT, "docs/api/webhooks-verifying.md"), "utf8");
const blocks = (language: string) =>
  [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, code]) =>
    name === language ? [String(code)] : [],
  );

/** A delivery as it came in, and what its receiver believes the secret to be. */
interface Delivery {
  headers: Record<string, string>;
  body: string;
  secret: string;
}

/** The types of accepted events, undefined for refused ones. */
type Judge = (code: string, deliveries: Delivery[]) => (string | undefined)[];

const IN_NODE = `
  import { text } from "node:stream/consumers";
  const judge = ({ secret, ...request }) => {
    try {
      return verify(request, secret).type;
    } catch {
      return null;
    }
  };
  console.log(JSON.stringify(JSON.parse(await text(process.stdin)).map(judge)));`;

const IN_PYTHON = `
import sys

def judge(delivery):
    try:
        return verify(delivery["headers"], delivery["body"].encode(), delivery["secret"])["type"]
    except Exception:
        return None

print(json.dumps([judge(delivery) for delivery in json.load(sys.stdin.buffer)]))`;

const node: Judge = (code, deliveries) =>
  readVerdicts(run(process.execPath, ["--input-type=module", "-e", code + IN_NODE], deliveries));

const python: Judge = (code, deliveries) =>
  readVerdicts(run("python3", ["-c", code + IN_PYTHON], deliveries));

const shell: Judge = (code, deliveries) =>
  deliveries.map(({ headers, body, secret }) => {
    const given = ["id", "timestamp", "signature"].map((name) => headers[`webhook-${name}`] ?? "");
    const { status, stdout } = spawnSync("sh", ["-c", code, "verify.sh", ...given], {
      input: body,
      env: { PATH: process.env["PATH"], WEBHOOK_SECRET: secret },
      encoding: "utf8",
    });
    expect(stdout).toBe("");
    return status === 0 ? (JSON.parse(body) as { type: string }).type : undefined;
  });

/** The output of a program that gets the deliveries as JSON. */
function run(program: string, args: string[], deliveries: Delivery[]): string {
  const { stdout, stderr } = spawnSync(program, args, {
    cwd: ROOT,
    input: JSON.stringify(deliveries),
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout;
}

const readVerdicts = (text: string) =>
  (JSON.parse(text) as (string | null)[]).map((verdict) => verdict ?? undefined);

const EXAMPLES: [name: string, code: string | undefined, program: string | undefined, judge: Judge][] = [
  ["JavaScript with standardwebhooks", blocks("js")[0], undefined, node],
  ["JavaScript with node:crypto", blocks("js")[1], undefined, node],
  ["Python", blocks("python")[0], "python3", python],
  ["shell", blocks("sh")[0], "openssl", shell],
];

/** Reports an example without its program. CI has all programs. */
function isMissing(program: string | undefined): boolean {
  if (program === undefined || spawnSync(program, ["-h"]).error === undefined) return false;
  process.stderr.write(
    `${program} isn't installed: its example of how webhooks are verified is NOT tried.\n`,
  );
  return true;
}

test("the page has an example in each language, and says which ones are not executed", () => {
  const languages = [...page.matchAll(/^```(\w+)$/gm)].map(([, language]) => language);
  expect(languages).toEqual(["js", "js", "python", "sh", "ruby", "go"]);
  for (const heading of ["Ruby", "Go"]) expect(page).toContain(`## ${heading}\n\nNot covered by a test.`);
});

describe.each(EXAMPLES)("the example in %s", (_name, code = "", program, verdicts) => {
  const at = deliveringForEach();
  let sent: Delivery;
  beforeEach(async () => {
    at.world.setNow(new Date());
    await at.queue();
    await at.hooks.deliver();
    const [received] = at.receiver.received;
    const headers = received?.headers as Record<string, string>;
    sent = { headers, body: String(received?.body), secret: at.endpoint.secret };
  });

  const judge = (...deliveries: Delivery[]) => verdicts(code, deliveries);
  const cannot = isMissing(program);

  test.skipIf(cannot)("accepts what Inkstone sends, also when it is some minutes old", () => {
    expect(judge(sent, madeAgo(200), madeAgo(-200))).toEqual(["ping", "ping", "ping"]);
  });

  test.skipIf(cannot)("accepts both secrets while one takes the other's place", () => {
    const [before, after] = [makeSecret(), makeSecret()];
    const now = new Date();
    const secrets = { secret: after, previous_secrets: [before] };
    const { body } = sent;
    const headers = signedHeaders({ id: "msg_1", body }, secrets, now);
    expect(judge({ headers, body, secret: before }, { headers, body, secret: after })).toEqual([
      "ping",
      "ping",
    ]);
  });

  test.skipIf(cannot)("refuses everything else", () => {
    const { headers, body } = sent;
    const withHeader = (name: string, value: string) => ({ ...sent, headers: { ...headers, [name]: value } });
    const signature = String(headers["webhook-signature"]);
    const tampered: Record<string, Delivery> = {
      "another body": { ...sent, body: body.replace("Hi", "Ho") },
      "a space after the body": { ...sent, body: `${body} ` },
      "another secret": { ...sent, secret: makeSecret() },
      "another id": withHeader("webhook-id", "msg_2"),
      "another timestamp": withHeader("webhook-timestamp", String(Number(headers["webhook-timestamp"]) - 1)),
      "no timestamp": withHeader("webhook-timestamp", ""),
      "code for a timestamp": withHeader("webhook-timestamp", "a[$(echo run)]"),
      "another signature": withHeader("webhook-signature", signature.replace(/.{4}=$/, "AAA=")),
      "no signature": withHeader("webhook-signature", ""),
      "the beginning of the signature": withHeader("webhook-signature", signature.slice(0, -8)),
      "another version": withHeader("webhook-signature", signature.replace("v1,", "v2,")),
      "no version": withHeader("webhook-signature", signature.replace("v1,", "")),
      "an old request": madeAgo(400),
      "a request of the future": madeAgo(-400),
    };
    const verdicts = judge(...Object.values(tampered));
    const names = Object.keys(tampered);
    expect(Object.fromEntries(names.map((name, index) => [name, verdicts[index]]))).toEqual(
      Object.fromEntries(names.map((name) => [name, undefined])),
    );
  });

  /** As if signed this many seconds ago. */
  function madeAgo(seconds: number): Delivery {
    const { headers, body, secret } = sent;
    const secrets = { secret, previous_secrets: [] };
    const signed = signedHeaders({ id: "msg_1", body }, secrets, new Date(Date.now() - 1_000 * seconds));
    return { ...sent, headers: { ...headers, ...signed } };
  }
});
