import { renderHtml } from "../articles/rendering.ts";
import type { Db } from "../db/connect.ts";
import { deferRefusal } from "../errors.ts";
import * as tags from "../tags/tags.ts";
import { RENDERER_VERSION } from "../text/renderer-version.ts";
import type { Renderer } from "../text/render-pool.ts";
import { readId } from "../text/id.ts";
import { FieldFaults } from "./field-faults.ts";
import * as queries from "./queries.ts";
import { actionIn, type Given, readAttributes, requireAll } from "./requests.ts";

/** A body and what it was rendered to. */
export interface Body {
  body_markdown: string;
  body_html: string;
  renderer_version: number;
}

/** What a request to change a listing comes to. */
export type Change = { action: ChangeAction } | { action?: never; columns: Columns };
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

export interface Columns extends Partial<Body> {
  title?: string;
  category_id?: number;
  tag_list?: string[];
  location?: string | null;
  expires_at?: Date | null;
}

/** The same for a new listing, which has all that a listing needs. */
export type NewColumns = Columns & Body & { title: string; category_id: number; published: boolean };

const CREATE_ACTIONS = ["draft", "publish"] as const;
const CHANGE_ACTIONS = ["publish", "unpublish", "bump"] as const;

interface Surroundings {
  db: Db;
  renderer: Renderer;
}

/** Reads and renders a request to make a listing before its transaction. */
export function prepareNew(surroundings: Surroundings, given: Given): Promise<() => NewColumns> {
  return deferRefusal(async () => {
    const faults = new FieldFaults();
    const action = actionIn(given, CREATE_ACTIONS, faults);
    const columns = await columnsOf(surroundings, { given, faults, isNew: true });
    return { ...(columns as NewColumns), published: action !== "draft" };
  });
}

/** The same for a change. */
export function prepareChange(surroundings: Surroundings, given: Given): Promise<() => Change> {
  return deferRefusal(async () => {
    const faults = new FieldFaults();
    const action = actionIn(given, CHANGE_ACTIONS, faults);
    if (action !== undefined) return { action };
    return { columns: await columnsOf(surroundings, { given, faults, isNew: false }) };
  });
}

interface Reading {
  given: Given;
  faults: FieldFaults;
  isNew: boolean;
}

async function columnsOf(
  { db, renderer }: Surroundings,
  { given, faults, isNew }: Reading,
): Promise<Columns> {
  const { body_markdown, tag_list, ...attributes } = readAttributes(given, faults);
  if (isNew)
    requireAll({ ...attributes, ...(body_markdown !== undefined && { body_markdown }) }, given, faults);
  const category = await categoryOf(db, given);
  if (category === null || (isNew && category === undefined)) faults.add("listing_category", "must exist");
  faults.throwIfAny();
  return {
    ...attributes,
    ...(category !== undefined && category !== null && { category_id: category }),
    ...(tag_list && { tag_list: await resolveTags(db, tag_list) }),
    ...(body_markdown !== undefined && (await render({ db, renderer }, body_markdown))),
  };
}

/** The number of the category that is asked for: undefined for none, null for one that isn't there. */
async function categoryOf(
  db: Db,
  { category, listing_category_id }: Given,
): Promise<number | null | undefined> {
  if (category !== undefined && category !== null) {
    return typeof category === "string" ? ((await queries.findCategory(db, category)) ?? null) : null;
  }
  const id = readId(listing_category_id);
  if (id === undefined) return undefined;
  return !Number.isNaN(id) && (await queries.hasCategory(db, id)) ? id : null;
}

/** Tags under their preferred names. */
async function resolveTags(db: Db, names: readonly string[]): Promise<string[]> {
  const known = await tags.known(db, names);
  return [...new Set(names.map((name) => known.get(name)?.name ?? name))];
}

async function render({ db, renderer }: Surroundings, body_markdown: string): Promise<Body> {
  const body_html = await renderHtml(db, renderer, body_markdown);
  return { body_markdown, body_html, renderer_version: RENDERER_VERSION };
}
