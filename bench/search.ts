/** Measures the cost of search and lists at two sizes, or beside the program of another checkout at the smaller one. */
import { resolve } from "node:path";
import { besideReport } from "./beside.ts";
import { partsNamed, runBench, TEXT, text, wholeNumber } from "./kit.ts";
import { openProgram } from "./measure/program.ts";
import { searchReport } from "./search/report.ts";
import { measureSearch, measureSearchBeside, PARTS, type SearchBench } from "./search/suite.ts";

await runBench("bench:search", {
  options: {
    small: text("10000"),
    large: text("100000"),
    requests: text("200"),
    fuzz: text("10000"),
    only: text(PARTS.join(",")),
    keep: TEXT,
    beside: TEXT,
  },
  section: ({ beside }) => (beside === undefined ? "search results" : undefined),
  async measure({ small, large, requests, fuzz, only, keep, beside }) {
    const bench: SearchBench = {
      parts: partsNamed(only, PARTS),
      small: wholeNumber("--small", small, 100, 9_999_999),
      large: wholeNumber("--large", large, 100, 9_999_999),
      keep: keep === undefined ? undefined : resolve(keep),
      requests: wholeNumber("--requests", requests, 10, 9_999_999),
      fuzz: wholeNumber("--fuzz", fuzz, 10, 9_999_999),
    };
    if (beside !== undefined)
      return besideReport(await measureSearchBeside(bench, await openProgram(resolve(beside))), beside);
    if (bench.small >= bench.large) throw new Error("--large must be more articles than --small");
    return searchReport(await measureSearch(bench), bench);
  },
});
