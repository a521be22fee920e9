import { oneArticle } from "./lines/article.ts";
import { anyPage, firstPage, samePage } from "./lines/list.ts";
import { notModified } from "./lines/not-modified.ts";
import { search } from "./lines/search.ts";
import type { Line } from "./lines/site.ts";
import { tagged } from "./lines/tag.ts";

/** What is measured over HTTP, in the order of the table. */
export const LINES: readonly Line[] = [firstPage, anyPage, samePage, tagged, search, oneArticle, notModified];
