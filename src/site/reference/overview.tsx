import { Prose, type SafeHtml } from "../kit/html.tsx";
import { OperationList } from "./frame.tsx";
import { REFERENCE, type Topic, topicPath } from "./topics.ts";

interface OverviewProps {
  topics: readonly Topic[];
  baseUrl: string;
  /** The rules of all operations. */
  rules: SafeHtml;
}

export function Overview({ topics, baseUrl, rules }: OverviewProps) {
  return (
    <>
      <h1>API reference</h1>
      <p class="lead">
        Everything that this community publishes, as JSON over HTTP. Clients written for Forem work here.
      </p>
      <dl class="facts">
        <dt>Base URL</dt>
        <dd>
          <code>{baseUrl}</code>
        </dd>
        <dt>Authentication</dt>
        <dd>
          The header <code>api-key</code>. Most reads need none.
        </dd>
        <dt>Errors</dt>
        <dd>
          <code>{'{"error": "a sentence", "status": 422}'}</code>
        </dd>
        <dt>Description</dt>
        <dd>
          <a href="/api/openapi.json">OpenAPI 3.1 document</a>
        </dd>
      </dl>
      <SearchForm />
      <Topics topics={topics} />
      <section id="limits" class="rules">
        <Prose html={rules} />
      </section>
    </>
  );
}

export function Results({ topics, q }: { topics: readonly Topic[]; q: string }) {
  const count = topics.reduce((sum, { operations }) => sum + operations.length, 0);
  return (
    <>
      <h1>API reference</h1>
      <SearchForm q={q} />
      <p>
        {count === 0 ? "No operation has " : `${count} ${count === 1 ? "operation has" : "operations have"} `}
        <q>{q}</q>. <a href={REFERENCE}>All operations</a>
      </p>
      <Topics topics={topics} />
    </>
  );
}

function SearchForm({ q = "" }: { q?: string }) {
  return (
    <form class="filter" role="search" aria-label="Operations" action={REFERENCE}>
      <input
        type="search"
        name="q"
        value={q}
        placeholder="Find an operation"
        aria-label="Find an operation"
        maxLength={100}
        data-filter
      />
      <button class="button">Find</button>
    </form>
  );
}

function Topics({ topics }: { topics: readonly Topic[] }) {
  return (
    <>
      {topics.map((topic) => (
        <section class="topic" id={topic.slug}>
          <h2>
            <a href={topicPath(topic.slug)}>{topic.title}</a>
          </h2>
          <p class="muted">{topic.description}</p>
          <OperationList topic={topic} />
        </section>
      ))}
    </>
  );
}
