import { type Static, Type } from "typebox";
import { notFound } from "../../platform/errors.ts";
import type { App } from "../../http/app-type.ts";
import type { Program } from "../../http/operation.ts";
import { Breadcrumbs } from "../kit/components.tsx";
import { Prose, type SafeHtml, sanitized } from "../kit/html.tsx";
import { createPages, type Moved, type Page } from "../kit.tsx";
import { type ApiDocument, type Operation, readDocument } from "./document.ts";
import { Frame, OperationList } from "./frame.tsx";
import { inlineCode } from "./inline.tsx";
import { OperationPage, responseText } from "./operation.tsx";
import { Overview, Results } from "./overview.tsx";
import { LANGUAGES, sampleOf } from "./samples.ts";
import {
  operationPath,
  readGroundRules,
  readTopics,
  REFERENCE,
  search,
  type Topic,
  topicPath,
} from "./topics.ts";

const Search = Type.Object({ q: Type.Optional(Type.String({ maxLength: 100, "x-any-text": true })) });
const TopicParams = Type.Object({ topic: Type.String() });
const OperationParams = Type.Object({ topic: Type.String(), operation: Type.String() });

interface Reference {
  document: ApiDocument;
  topics: Topic[];
  /** Markdown of what holds for all operations. */
  rules: string;
  baseUrl: string;
  render: Render;
}

/** The reference of the API, which is readable in a private community and without the database. */
export function referenceRoutes(app: App, program: Program): void {
  const load = once(() => read(app, program));
  const pages = createPages(app, program, "open");
  pages.get(REFERENCE, { querystring: Search }, async ({ query }) => overviewPage(await load(), query));
  pages.get(`${REFERENCE}/:topic`, { params: TopicParams }, async ({ params }) =>
    topicPage(await load(), params),
  );
  pages.get(`${REFERENCE}/:topic/:operation`, { params: OperationParams }, async ({ params }) =>
    operationPage(await load(), params),
  );
}

async function read(app: App, { baseUrl, renderPool }: Program): Promise<Reference> {
  const document = readDocument(app.swagger());
  const render = renderOnce(renderPool);
  const [topics, rules] = await Promise.all([readTopics(document), readGroundRules()]);
  return { document, topics, rules, baseUrl, render };
}

/** Nothing of the reference changes while the program runs. What has failed is tried again. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
}

/** Renders each text once; there are as many as pages. */
function renderOnce(pool: Program["renderPool"]): Render {
  const known = new Map<string, () => Promise<string>>();
  return (markdown) => {
    const make = known.get(markdown) ?? once(async () => (await pool.render(markdown)).html);
    known.set(markdown, make);
    return make();
  };
}

/** All pages of the reference have their own styles and script. */
const BUNDLE = "reference";

async function overviewPage(
  { topics, rules, baseUrl, render }: Reference,
  { q = "" }: Static<typeof Search>,
): Promise<Page> {
  const common = {
    title: "API reference",
    description: "How to read and write this community by HTTP.",
    bundle: BUNDLE,
  } as const;
  if (q !== "") {
    const body = (
      <Frame topics={topics}>
        <Results topics={search(topics, q)} q={q} />
      </Frame>
    );
    return { ...common, isHidden: true, body };
  }
  const html = await render(rules);
  return {
    ...common,
    path: REFERENCE,
    madeFrom: REFERENCE,
    body: (
      <Frame topics={topics}>
        <Overview topics={topics} baseUrl={baseUrl} rules={sanitized(html)} />
      </Frame>
    ),
  };
}

const CRUMBS = [{ label: "API reference", href: REFERENCE }];

async function topicPage(
  { topics, render }: Reference,
  { topic: slug }: Static<typeof TopicParams>,
): Promise<Page> {
  const topic = topicNamed(topics, slug);
  const html = await render(topic.guide);
  return {
    title: `${topic.title} · API reference`,
    description: topic.description,
    path: topicPath(slug),
    madeFrom: topicPath(slug),
    bundle: BUNDLE,
    crumbs: CRUMBS,
    body: (
      <Frame topics={topics} topic={topic}>
        <Breadcrumbs crumbs={CRUMBS} />
        <h1>{topic.title}</h1>
        <p class="lead">{inlineCode(topic.description)}</p>
        {topic.operations.length > 0 && <OperationList topic={topic} />}
        <Prose html={sanitized(html)} />
      </Frame>
    ),
  };
}

function topicNamed(topics: readonly Topic[], slug: string): Topic {
  const topic = topics.find((one) => one.slug === slug);
  if (topic === undefined) throw notFound();
  return topic;
}

async function operationPage(
  { document, topics, baseUrl, render }: Reference,
  params: Static<typeof OperationParams>,
): Promise<Page | Moved> {
  const topic = topicNamed(topics, params.topic);
  const operation = topic.operations.find(({ id }) => id === params.operation);
  if (operation === undefined) throw notFound();
  const crumbs = [...CRUMBS, { label: topic.title, href: topicPath(topic.slug) }];
  return {
    title: `${operation.summary} · API reference`,
    description: `${operation.method} ${operation.path}: ${operation.description.replaceAll("`", "")}`,
    path: operationPath(topic, operation),
    madeFrom: operationPath(topic, operation),
    bundle: BUNDLE,
    crumbs,
    body: (
      <Frame topics={topics} topic={topic} operation={operation}>
        <Breadcrumbs crumbs={crumbs} />
        <OperationPage
          operation={operation}
          schemas={document.schemas}
          code={await highlighted(render, codesOf(operation, baseUrl))}
        />
      </Frame>
    ),
  };
}

function codesOf(operation: Operation, baseUrl: string) {
  const sample = sampleOf(operation);
  const response = responseText(operation);
  return [
    ...LANGUAGES.map(({ language, write }) => ({ language, text: write(baseUrl, sample) })),
    ...(response === undefined ? [] : [{ language: "json", text: response }]),
  ];
}

interface Code {
  language: string;
  text: string;
}

/** Makes HTML of Markdown. */
type Render = (markdown: string) => Promise<string>;

/** Highlights pieces of code in the render worker, whose libraries this thread needn't load. */
async function highlighted(render: Render, codes: readonly Code[]): Promise<SafeHtml[]> {
  const markdown = codes.map(({ language, text }) => `~~~~~${language}\n${text}\n~~~~~`).join("\n\n");
  const html = await render(markdown);
  return [...html.matchAll(/<pre>.*?<\/pre>/gs)].map(([block]) => sanitized(block));
}
