import type { SafeHtml } from "../kit/html.tsx";
import { type ApiDocument, exampleOf, type Operation, type Parameter } from "./document.ts";
import { Method } from "./frame.tsx";
import { inlineCode } from "./inline.tsx";
import { LANGUAGES, sampleOf } from "./samples.ts";
import { Fields, Parameters } from "./schema.tsx";

interface OperationProps {
  operation: Operation;
  schemas: ApiDocument["schemas"];
  /** A sample in each language, and the example of the response if it has one. */
  code: readonly SafeHtml[];
}

export function OperationPage({ operation, schemas, code }: OperationProps) {
  return (
    <div class="operation">
      <header>
        <h1>{operation.summary}</h1>
        <p class="route">
          <Method name={operation.method} /> <code>{operation.path}</code>
        </p>
        <p>{inlineCode(operation.description)}</p>
        <p class="access">{ACCESS[accessOf(operation)]}</p>
      </header>
      <div class="samples">
        <Samples code={code} />
        {operation.method === "GET" && <TryIt operation={operation} />}
        {code[LANGUAGES.length] !== undefined && (
          <figure>
            <figcaption>Response</figcaption>
            <Block html={code[LANGUAGES.length]} scrolls />
          </figure>
        )}
      </div>
      <div class="details">
        <Request operation={operation} schemas={schemas} />
        <Responses operation={operation} schemas={schemas} />
      </div>
    </div>
  );
}

function accessOf({ security }: Operation): keyof typeof ACCESS {
  if (security.includes("apiKey")) return security.includes(undefined) ? "public" : "key";
  return security.includes("metricsToken") ? "metrics" : security.length > 0 ? "health" : "open";
}

const ACCESS = {
  key: (
    <>
      <strong>Needs an API key</strong> in the header <code>api-key</code>.
    </>
  ),
  public: (
    <>
      <strong>Public.</strong> In a private community it needs an API key.
    </>
  ),
  open: (
    <>
      <strong>Public</strong>, also in a private community.
    </>
  ),
  health: (
    <>
      <strong>For monitors:</strong> requests from other computers need the header{" "}
      <code>health-check-token</code>.
    </>
  ),
  metrics: (
    <>
      <strong>For monitors:</strong> requests need the server’s <code>METRICS_TOKEN</code> as a bearer token.
      If it isn’t set, requests from the same computer need none.
    </>
  ),
};

/** A block of code. A long one scrolls by itself, and so by keyboard. */
function Block({
  html = "" as SafeHtml,
  scrolls = false,
}: {
  html?: SafeHtml | undefined;
  scrolls?: boolean;
}) {
  const place = scrolls ? ({ tabIndex: 0, role: "group", "aria-label": "Example" } as const) : {};
  return <div class="code" {...place} dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Tabs of radio buttons, which need no script. */
function Samples({ code }: { code: readonly SafeHtml[] }) {
  return (
    <fieldset class="languages">
      <legend class="visually-hidden">Language of the sample</legend>
      {LANGUAGES.map(({ name }, index) => (
        <>
          <input type="radio" name="language" id={`in-${name}`} checked={index === 0} />
          <label for={`in-${name}`}>{name}</label>
        </>
      ))}
      {LANGUAGES.map((_language, index) => (
        <Block html={code[index]} />
      ))}
    </fieldset>
  );
}

const PLACES = [
  { place: "path", title: "Path parameters" },
  { place: "query", title: "Query parameters" },
  { place: "header", title: "Headers" },
] as const;

function Request({ operation: { parameters, body }, schemas }: Omit<OperationProps, "code">) {
  return (
    <>
      {PLACES.map(({ place, title }) => {
        const found = parameters.filter((one) => one.in === place);
        return (
          found.length > 0 && (
            <section>
              <h2>{title}</h2>
              <Parameters parameters={found} />
            </section>
          )
        );
      })}
      {body && (
        <section>
          <h2>Request body</h2>
          <p class="muted">
            <code>{body.type}</code>
          </p>
          <Fields schema={body.schema} schemas={schemas} isRequest />
        </section>
      )}
    </>
  );
}

function Responses({ operation: { responses, path }, schemas }: Omit<OperationProps, "code">) {
  const successes = responses.filter(([status]) => status < "300");
  const others = responses.filter(([status]) => status >= "300");
  return (
    <>
      {successes.map(([status, { description, headers = {}, content }]) => (
        <section>
          <h2>Response {status}</h2>
          <p>{inlineCode(description)}</p>
          {content && <Fields schema={Object.values(content)[0]?.schema ?? {}} schemas={schemas} />}
          <details>
            <summary>{Object.keys(headers).length} headers</summary>
            <ul class="fields">
              {Object.entries(headers).map(([name, header]) => (
                <li>
                  <code class="name">{name}</code>
                  <p>{inlineCode(header.description)}</p>
                </li>
              ))}
            </ul>
          </details>
        </section>
      ))}
      <section>
        <h2>Other responses</h2>
        <dl class="statuses">
          {others.map(([status, { description }]) => (
            <>
              <dt>{status}</dt>
              <dd>{inlineCode(description)}</dd>
            </>
          ))}
        </dl>
      </section>
      <section>
        <h2>Limits</h2>
        <p>
          {path.startsWith("/api")
            ? "Requests count against the rate limit of the key, or of the address without one. "
            : "Requests count against no rate limit. "}
          <a href="/api/docs#limits">Limits of all operations</a>
        </p>
      </section>
    </>
  );
}

/** The example of a success as text; undefined without a body. */
export function responseText({ responses }: Operation): string | undefined {
  const [, response] = responses.find(([status]) => status < "300") ?? [];
  const media = Object.values(response?.content ?? {})[0];
  if (media === undefined) return undefined;
  const example = exampleOf(media);
  return typeof example === "string" ? example : JSON.stringify(example, null, 2);
}

/** A form that the script sends; it stays hidden without one. */
function TryIt({ operation }: { operation: Operation }) {
  const { path, parameters, security } = operation;
  const sample = sampleOf(operation);
  const isFilled = ({ in: place, name }: Parameter) =>
    place === "path" || new URL(sample.path, "http://localhost").searchParams.has(name);
  return (
    <form class="try-it" data-send={path} hidden>
      <details>
        <summary>Try it</summary>
        {parameters
          .filter(({ in: place }) => place !== "header")
          .map((one) => (
            <label>
              <span>{one.name}</span>
              <input
                name={one.name}
                data-in={one.in}
                {...(isFilled(one) ? { value: one.example } : { placeholder: String(one.example) })}
                required={one.required}
              />
            </label>
          ))}
        {security.includes("apiKey") && (
          <label>
            <span>api-key</span>
            <input type="password" data-in="key" autocomplete="off" required={sample.needsKey} />
          </label>
        )}
        <button class="button strong">Send</button>
        <output aria-live="polite" />
      </details>
    </form>
  );
}
