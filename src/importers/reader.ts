import type { Readable } from "node:stream";
import type { Origin } from "../articles/origins.ts";
import type { Zip } from "../archives/zip.ts";
import type { Converter } from "../feed-imports/converter.ts";

/** `community` is the community file, and `inkstone` the archive of a person. */
export const FORMATS = ["community", "inkstone", "forem", "ghost", "wordpress"] as const;
export type Format = (typeof FORMATS)[number];

/** A file to import, or one in a zip archive. */
export interface Source {
  /** As given, for messages. */
  name: string;
  /** The archive; undefined for a file that is none. */
  zip?: Zip;
  /** The bytes of a file that is no archive; may be called again. */
  open(): Promise<Readable>;
}

/** A record of the community file. */
export interface CommunityRecord {
  type: string;
  [key: string]: unknown;
}

/** A person as another site knows them. */
export interface Stranger {
  /** Their name in addresses there: the wish for the one here. */
  username: string;
  name: string;
  /** Finds the person here. People without one never become a person that already is here. */
  email?: string;
  /** Somebody who only commented, to whom `--author` gives nothing. */
  isCommenter?: boolean;
  /** Other attributes of the record, such as `summary` and `profile_image`. */
  profile?: Record<string, unknown>;
}

export interface People {
  /**
   * The username here: that of `--author`, of the user with this e-mail address, or of a new one, whose record comes
   * with its first use and has to be yielded before records that name it.
   */
  usernameOf(stranger: Stranger): Promise<{ username: string; record?: CommunityRecord }>;
}

export interface ReadOptions {
  /** The person of `--author`, to whom everything belongs. */
  author?: string;
  /** The address of the old site by `--site`, without a slash at its end. */
  site?: string;
  /** Whether comments are wanted, by `--comments`. */
  comments: boolean;
  people: People;
  /** The article of this site with this slug, so that none is taken for another one, and comments find theirs. */
  originOf(slug: string): Promise<Origin | undefined>;
  /** HTML to Markdown. */
  converter: Converter;
  now: Date;
}

export type Found =
  | { record: CommunityRecord }
  /** A thing of the other site that becomes no record, such as `{ type: "article", name: "About", reason: "it is a page" }`. */
  | { leftOut: { type: string; name: string; reason: string } }
  /** A sentence about many records, which the report prints once with its count. */
  | { remark: string };

/** Turns the files of another program into records of the community file. Faults of a file are AppErrors. */
export interface Reader {
  format: Format;
  /**
   * The records in an order in which each refers to earlier ones only. Pictures keep their old addresses, absolute or
   * from `/`: the driver makes uploads of them. An old path is a record `retired_path`.
   */
  records(sources: readonly Source[], options: ReadOptions): AsyncIterable<Found>;
  /** The folder of an archive that `--files` stands for, such as `content/`. */
  folder: string;
  /**
   * The file of an address, within `folder`: `images/2020/tomato.png` for
   * `https://old.example/content/images/2020/tomato.png`. Undefined for addresses elsewhere.
   */
  fileOf(url: string, options: Pick<ReadOptions, "site">): string | undefined;
}
