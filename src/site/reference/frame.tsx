import type { ComponentChildren } from "preact";
import type { Operation } from "./document.ts";
import { operationPath, REFERENCE, type Topic, topicPath } from "./topics.ts";

interface FrameProps {
  topics: readonly Topic[];
  /** The topic of this page, unless it is the overview. */
  topic?: Topic;
  operation?: Operation;
  children: ComponentChildren;
}

/** The list of topics beside a page, with the operations of its own topic. */
export function Frame({ topics, topic, operation, children }: FrameProps) {
  return (
    <div class="reference">
      <div class="reference-main">{children}</div>
      <nav class="reference-nav" aria-label="API">
        <p>
          <a href={REFERENCE} aria-current={topic === undefined ? "page" : undefined}>
            Overview
          </a>
        </p>
        <ul>
          {topics.map((one) => (
            <li>
              <a
                href={topicPath(one.slug)}
                aria-current={one === topic && operation === undefined ? "page" : undefined}
              >
                {one.title}
              </a>
              {one === topic && one.operations.length > 0 && (
                <OperationLinks topic={one} current={operation} />
              )}
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}

function OperationLinks({ topic, current }: { topic: Topic; current: Operation | undefined }) {
  return (
    <ul>
      {topic.operations.map((one) => (
        <li>
          <a href={operationPath(topic, one)} aria-current={one === current ? "page" : undefined}>
            {one.summary}
          </a>
        </li>
      ))}
    </ul>
  );
}

export function Method({ name }: { name: string }) {
  return <span class={`method ${name.toLowerCase()}`}>{name}</span>;
}

export function OperationList({ topic }: { topic: Topic }) {
  return (
    <ul class="operations">
      {topic.operations.map((one) => (
        <li>
          <Method name={one.method} />
          <a href={operationPath(topic, one)}>{one.summary}</a>
          <code>{one.path}</code>
        </li>
      ))}
    </ul>
  );
}
