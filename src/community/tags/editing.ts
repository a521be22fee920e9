import type { Actor } from "../../http/actor.ts";
import { differs } from "../../platform/db/rows.ts";
import { invalid } from "../../platform/errors.ts";
import * as events from "../../platform/events/events.ts";
import { enqueue } from "../../platform/jobs/queue.ts";
import { quote } from "../../platform/text/quote.ts";
import { checkTags, parseTagList } from "../../platform/text/tags.ts";
import * as log from "../log/log.ts";
import * as queries from "./queries.ts";

type Look = { [Column in "bg_color_hex" | "text_color_hex" | "short_summary"]?: string | undefined };

export const COLOUR = /^#[0-9A-Fa-f]{6}$/;
const MAX_SUMMARY = 2_000;

export function checkedName(text: string): string {
  const names = parseTagList(text);
  checkTags(names);
  const [name] = names;
  if (name === undefined || names.length > 1) {
    throw invalid(`name must be one tag of letters and digits, not ${quote(text)}`);
  }
  return name;
}

export type Edited = { id: number; name: string; changed: boolean };
export type Aliased = { alias: string; tag: string; changed: boolean };

export function edit(actor: Actor<Edited>, { name, change }: { name: string; change: Look }) {
  const columns = checkLook(change);
  return actor.run(async (tx) => {
    const [tag] = await queries.lockByName(tx, [checkedName(name)]);
    if (!tag) throw unknown(name);
    if (tag.preferred !== null) {
      throw invalid(`${tag.name} is another name of ${tag.preferred}: edit ${tag.preferred}.`);
    }
    const changed = differs(tag, columns);
    if (changed) {
      await queries.update(tx, tag.id, columns);
      await events.record(tx, "tag_updated", { tag_id: tag.id });
      await log.record(tx, actor, { act: "edit_tag", on: { kind: "tag", id: tag.id } });
    }
    return { id: tag.id, name: tag.name, changed };
  });
}

function checkLook({ bg_color_hex, text_color_hex, short_summary }: Look) {
  for (const colour of [bg_color_hex, text_color_hex]) {
    if (colour && !COLOUR.test(colour)) throw invalid(`A colour must be like #f7df1e, not ${quote(colour)}.`);
  }
  const summary = short_summary?.trim();
  if ((summary?.length ?? 0) > MAX_SUMMARY) {
    throw invalid(`Summary is too long (maximum is ${MAX_SUMMARY} characters)`);
  }
  return {
    ...(bg_color_hex !== undefined && { bg_color_hex: bg_color_hex || null }),
    ...(text_color_hex !== undefined && { text_color_hex: text_color_hex || null }),
    ...(short_summary !== undefined && { short_summary: summary || null }),
  };
}

/** Longer than a write of an article takes. */
const LATECOMERS_SECONDS = 60;

/**
 * A background job, or the caller, moves what carries the alias.
 * @throws AppError invalid
 */
export function alias(
  actor: Actor<Aliased>,
  { name, of, mustExist = false }: { name: string; of: string; mustExist?: boolean },
) {
  const [alias, asked] = [checkedName(name), checkedName(of)];
  return actor.run(async (tx) => {
    if (!mustExist) await queries.insertMissing(tx, [alias]);
    // All transactions lock tags in one order, which prevents deadlocks.
    const tags = new Map((await queries.lockByName(tx, [alias, asked])).map((tag) => [tag.name, tag]));
    const [from, into] = [tags.get(alias), tags.get(asked)];
    if (!from) throw unknown(name);
    if (!into) throw unknown(of);
    const preferredId = into.alias_for ?? into.id;
    if (preferredId === from.id) throw isSame(from.name, into);
    const changed = from.alias_for !== preferredId;
    if (changed) {
      await queries.update(tx, from.id, { alias_for: preferredId });
      await queries.followOn(tx, from.id, preferredId);
      await events.record(tx, "tag_aliased", { tag_id: from.id, alias_for: preferredId });
      await enqueue(tx, "refresh-articles", { alias }, { delaySeconds: LATECOMERS_SECONDS });
      const detail = `of #${into.preferred ?? into.name}`;
      await log.record(tx, actor, { act: "alias_tag", on: { kind: "tag", id: from.id }, detail });
    }
    return { alias, tag: into.preferred ?? into.name, changed };
  });
}

function isSame(name: string, into: { name: string; preferred: string | null }): Error {
  if (into.preferred === null) return invalid(`${name} can't be another name of itself.`);
  const way = `make ${into.name} a tag of its own first`;
  return invalid(`${into.name} is another name of ${name} already: to turn that round, ${way}.`);
}

/**
 * Its followers stay with the other tag.
 * @throws AppError invalid
 */
export function removeAlias(actor: Actor<Edited>, name: string) {
  return actor.run(async (tx) => {
    const [tag] = await queries.lockByName(tx, [checkedName(name)]);
    if (!tag) throw unknown(name);
    const changed = tag.alias_for !== null;
    if (changed) {
      await queries.update(tx, tag.id, { alias_for: null });
      await events.record(tx, "tag_aliased", { tag_id: tag.id, alias_for: null });
      await log.record(tx, actor, { act: "remove_alias", on: { kind: "tag", id: tag.id } });
    }
    return { id: tag.id, name: tag.name, changed };
  });
}

function unknown(name: string): Error {
  return invalid(`There is no tag ${quote(name)}.`);
}
