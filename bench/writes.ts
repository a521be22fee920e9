/** Measures how fast articles are written and what it costs, alone or beside the program of another checkout. */
import { resolve } from "node:path";
import { besideReport } from "./beside.ts";
import { partsNamed, runBench, TEXT, text, wholeNumber } from "./kit.ts";
import { checkProcesses } from "./measure/processes.ts";
import { openProgram } from "./measure/program.ts";
import { writeReport } from "./writes/report.ts";
import { measureWrites, measureWritesBeside, PARTS } from "./writes/suite.ts";

await runBench("bench:writes", {
  options: {
    seconds: text("10"),
    connections: text("16"),
    articles: text("10000"),
    only: text(PARTS.join(",")),
    beside: TEXT,
  },
  section: ({ beside }) => (beside === undefined ? "write results" : undefined),
  async measure({ seconds, connections, articles, only, beside }) {
    checkProcesses();
    const bench = {
      seconds: wholeNumber("--seconds", seconds, 1, 600),
      connections: wholeNumber("--connections", connections, 1, 64),
      articles: wholeNumber("--articles", articles, 100, 9_999_999),
      parts: partsNamed(only, PARTS),
    };
    if (beside === undefined) return writeReport(await measureWrites(bench));
    return besideReport(await measureWritesBeside(bench, await openProgram(resolve(beside))), beside);
  },
});
