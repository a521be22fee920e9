import { readFile } from "node:fs/promises";
import { locate } from "../../platform/program-files.ts";
import type { ApiDocument, Operation } from "./document.ts";

export const REFERENCE = "/api/docs";

/** A page of the reference: the operations of a tag, a guide of `docs/api`, or both. */
export interface Topic {
  slug: string;
  title: string;
  description: string;
  operations: Operation[];
  /** Markdown, without its title. */
  guide: string;
}

/** Guides without operations of their own, each behind the topic that it belongs to. */
const GUIDES_BEHIND: Record<string, string> = {
  "reading list": "reactions",
  images: "feeds",
  webhooks: "webhooks-verifying",
};

/** Describes a topic without operations in the list of topics. */
const DESCRIPTIONS: Record<string, string> = {
  reactions: "Likes and other reactions to articles and comments.",
  feeds: "RSS, Atom and JSON feeds, the sitemap and robots.txt.",
  "webhooks-verifying": "How a receiver checks the signature of a delivery.",
};

/** Tags without a guide. */
const WITHOUT_GUIDE = ["follows"];

export const topicPath = (slug: string) => `${REFERENCE}/${slug}`;
export const operationPath = (topic: Pick<Topic, "slug">, { id }: Operation) =>
  `${topicPath(topic.slug)}/${id}`;

export async function readTopics({ tags, operations }: ApiDocument): Promise<Topic[]> {
  const topics = tags.map(async ({ name, description }) => {
    const slug = name.replaceAll(" ", "-");
    const guide = WITHOUT_GUIDE.includes(name) ? undefined : await readGuide(slug);
    const own: Topic = {
      slug,
      title: guide?.title ?? capitalized(name),
      description,
      operations: operations.filter(({ tag }) => tag === name),
      guide: guide?.text ?? "",
    };
    const behind = GUIDES_BEHIND[name];
    return behind === undefined ? [own] : [own, await guideAlone(behind)];
  });
  return (await Promise.all(topics)).flat();
}

async function guideAlone(slug: string): Promise<Topic> {
  const { title, text } = await readGuide(slug);
  return { slug, title, description: DESCRIPTIONS[slug] ?? "", operations: [], guide: text };
}

/** The rules of all operations. */
export async function readGroundRules(): Promise<string> {
  const { text } = await readGuide("README");
  return text.slice(text.indexOf("## Ground rules"));
}

async function readGuide(slug: string): Promise<{ title: string; text: string }> {
  const markdown = await readFile(locate(`../docs/api/${slug}.md`), "utf8");
  const [, title = slug, text = ""] = /^# (.+)\n([\s\S]*)$/.exec(markdown) ?? [];
  return { title, text: withSiteLinks(text) };
}

/**
 * Links between guides lead to their pages. Documents for operators aren't on the site: they are in the folder of the
 * program.
 */
function withSiteLinks(markdown: string): string {
  return markdown.replaceAll(
    /\[([^\]]+)\]\(((?:\.\.\/)*)([\w./-]+\.(?:md|json))(?:#([\w-]+))?\)/g,
    (_whole, text: string, above: string, file: string, fragment?: string) => {
      if (file === "openapi.json") return `[${text}](/api/openapi.json)`;
      if (above !== "") return `${text} (\`docs/${file}\`)`;
      const page = file === "README.md" ? REFERENCE : topicPath(file.replace(/\.md$/, ""));
      return `[${text}](${page}${fragment === undefined ? "" : `#h-${fragment}`})`;
    },
  );
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The operations that have every word, in their names, paths, descriptions or parameters. */
export function search(topics: readonly Topic[], q: string): Topic[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (one: Operation) => words.every((word) => textOf(one).includes(word));
  return topics.flatMap((topic) => {
    const operations = topic.operations.filter(matches);
    return operations.length === 0 ? [] : [{ ...topic, operations }];
  });
}

function textOf({ id, method, path, summary, description, parameters }: Operation): string {
  const names = parameters.map(({ name }) => name);
  return [id, method, path, summary, description, ...names].join(" ").toLowerCase();
}
