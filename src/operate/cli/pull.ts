import { readConfig, typed } from "../../platform/config.ts";
import { createConverter } from "../../community/feed-imports/converter.ts";
import { pull, type PullOptions } from "../importers/pull.ts";
import { createNet } from "../../platform/net/net.ts";
import { count } from "../../platform/text/sentences.ts";
import { printResult, startProgress } from "./output.ts";

type Source = Pick<PullOptions, "from" | "user" | "key" | "to">;

/** Writes what another site shows as a community file, without a database. */
export async function pullSite(source: Source, { json }: { json: boolean }): Promise<void> {
  const net = createNet(readConfig());
  const converter = createConverter();
  const progress = startProgress({ json });
  try {
    let articles = 0;
    const onProgress = () => {
      articles += 1;
      progress.show(() => `${count(articles, "article")} from ${source.from}`);
    };
    const pulled = await pull({ ...source, net, converter, onProgress });
    progress.end();
    const { comments, users } = pulled;
    const things = `${count(pulled.articles, "article")}, ${count(comments, "comment")} and ${count(users, "user")}`;
    printResult(
      { json },
      pulled,
      () => `Wrote ${things} to ${source.to}. Import them with: ${typed(`import ${source.to}`)}`,
    );
  } finally {
    progress.end();
    await Promise.all([net.close(), converter.close()]);
  }
}
