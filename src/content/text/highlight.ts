import hljs from "highlight.js/lib/common";
import clojure from "highlight.js/lib/languages/clojure";
import dart from "highlight.js/lib/languages/dart";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import elixir from "highlight.js/lib/languages/elixir";
import erlang from "highlight.js/lib/languages/erlang";
import groovy from "highlight.js/lib/languages/groovy";
import haskell from "highlight.js/lib/languages/haskell";
import http from "highlight.js/lib/languages/http";
import nginx from "highlight.js/lib/languages/nginx";
import powershell from "highlight.js/lib/languages/powershell";
import protobuf from "highlight.js/lib/languages/protobuf";
import scala from "highlight.js/lib/languages/scala";

// All of the library's 190 languages take 100 ms to load in every worker, these a third of it.
const MORE = {
  clojure,
  dart,
  dockerfile,
  elixir,
  erlang,
  groovy,
  haskell,
  http,
  nginx,
  powershell,
  protobuf,
  scala,
};
for (const [name, language] of Object.entries(MORE)) hljs.registerLanguage(name, language);

/** A longer block is a dump of data. */
const MAX_CHARACTERS = 50_000;

/** "" for an unknown language. */
export function highlight(code: string, language: string): string {
  if (code.length > MAX_CHARACTERS || hljs.getLanguage(language) === undefined) return "";
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}
