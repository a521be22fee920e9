import { foreignImports, type Report } from "./foreign-imports.ts";

/** One site for all tests of a file, into which exports of WordPress are imported. */
export function wordpressImports() {
  const site = foreignImports();
  return {
    ...site,
    loadFiles: (files: readonly string[], ...options: string[]): Promise<Report> =>
      site.load(...files, ...options),
    /** Imports an export, which succeeds. */
    load: async (xml: string, ...options: string[]): Promise<Report> =>
      site.load(await site.file(xml, "export.xml"), ...options),
  };
}

/** Exports of WordPress, as its own exporter writes them. */

interface Post {
  id?: number;
  title?: string;
  content?: string;
  excerpt?: string;
  author?: string;
  link?: string;
  /** Local time. */
  date?: string;
  dateGmt?: string;
  modifiedGmt?: string;
  name?: string;
  status?: string;
  type?: string;
  password?: string;
  parent?: number;
  attachmentUrl?: string;
  /** By taxonomy and name, such as `["category", "Garden"]`. */
  terms?: [taxonomy: string, name: string][];
  meta?: Record<string, string>;
  comments?: Comment[];
}

interface Comment {
  id: number;
  author?: string;
  email?: string;
  date?: string;
  content?: string;
  approved?: string;
  type?: string;
  parent?: number;
  userId?: number;
}

/** A section that holds any text, as WordPress writes it. */
const cdata = (text: string) => `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;

export function wxrPost(post: Post): string {
  const { id = 1, title = "Growing tomatoes", date = "2019-05-10 10:00:00", comments = [] } = post;
  const name = post.name ?? "growing-tomatoes";
  return `<item>
    <title>${cdata(title)}</title>
    <link>${post.link ?? `https://old.example/2019/05/10/${name}/`}</link>
    <dc:creator>${cdata(post.author ?? "lena")}</dc:creator>
    <guid isPermaLink="false">https://old.example/?p=${id}</guid>
    <description></description>
    <content:encoded>${cdata(post.content ?? "They need sun.")}</content:encoded>
    <excerpt:encoded>${cdata(post.excerpt ?? "")}</excerpt:encoded>
    <wp:post_id>${id}</wp:post_id>
    <wp:post_date>${cdata(date)}</wp:post_date>
    <wp:post_date_gmt>${cdata(post.dateGmt ?? date)}</wp:post_date_gmt>
    <wp:post_modified_gmt>${cdata(post.modifiedGmt ?? date)}</wp:post_modified_gmt>
    <wp:post_name>${cdata(name)}</wp:post_name>
    <wp:status>${cdata(post.status ?? "publish")}</wp:status>
    <wp:post_parent>${post.parent ?? 0}</wp:post_parent>
    <wp:post_type>${cdata(post.type ?? "post")}</wp:post_type>
    <wp:post_password>${cdata(post.password ?? "")}</wp:post_password>
    <wp:is_sticky>0</wp:is_sticky>
    ${post.attachmentUrl === undefined ? "" : `<wp:attachment_url>${cdata(post.attachmentUrl)}</wp:attachment_url>`}
    ${(post.terms ?? []).map(term).join("\n    ")}
    ${Object.entries(post.meta ?? {})
      .map(meta)
      .join("\n    ")}
    ${comments.map(comment).join("\n    ")}
  </item>`;
}

function term([taxonomy, name]: [string, string]): string {
  return `<category domain="${taxonomy}" nicename="${encodeURIComponent(name.toLowerCase())}">${cdata(name)}</category>`;
}

function meta([key, value]: [string, string]): string {
  return `<wp:postmeta><wp:meta_key>${cdata(key)}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:postmeta>`;
}

function comment({ id, ...given }: Comment): string {
  const date = given.date ?? "2019-05-11 08:00:00";
  return `<wp:comment>
      <wp:comment_id>${id}</wp:comment_id>
      <wp:comment_author>${cdata(given.author ?? "Noor")}</wp:comment_author>
      <wp:comment_author_email>${cdata(given.email ?? "noor@mail.example")}</wp:comment_author_email>
      <wp:comment_author_url></wp:comment_author_url>
      <wp:comment_author_IP>${cdata("192.0.2.7")}</wp:comment_author_IP>
      <wp:comment_date>${cdata(date)}</wp:comment_date>
      <wp:comment_date_gmt>${cdata(date)}</wp:comment_date_gmt>
      <wp:comment_content>${cdata(given.content ?? "Mine too.")}</wp:comment_content>
      <wp:comment_approved>${cdata(given.approved ?? "1")}</wp:comment_approved>
      <wp:comment_type>${cdata(given.type ?? "comment")}</wp:comment_type>
      <wp:comment_parent>${given.parent ?? 0}</wp:comment_parent>
      <wp:comment_user_id>${given.userId ?? 0}</wp:comment_user_id>
      <wp:commentmeta><wp:meta_key>${cdata("akismet")}</wp:meta_key><wp:meta_value>${cdata("1")}</wp:meta_value></wp:commentmeta>
    </wp:comment>`;
}

interface Author {
  id: number;
  login: string;
  email: string;
  name: string;
}

export const LENA: Author = { id: 2, login: "lena", email: "lena@mail.example", name: "Lena Voss" };

function wxrAuthor({ id, login, email, name }: Author): string {
  return `<wp:author><wp:author_id>${id}</wp:author_id><wp:author_login>${cdata(login)}</wp:author_login><wp:author_email>${cdata(email)}</wp:author_email><wp:author_display_name>${cdata(name)}</wp:author_display_name><wp:author_first_name>${cdata("")}</wp:author_first_name><wp:author_last_name>${cdata("")}</wp:author_last_name></wp:author>`;
}

export const WXR_END = "</channel>\n</rss>\n";

export function wxrStart(version = "1.2", authors = [LENA]): string {
  return `<?xml version="1.0" encoding="UTF-8" ?>
<!-- This is a WordPress eXtended RSS file generated by WordPress as an export of your site. -->
<!-- generator="WordPress/6.5" created="2024-06-10 12:29" -->
<rss version="2.0"
  xmlns:excerpt="http://wordpress.org/export/${version}/excerpt/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:wfw="http://wellformedweb.org/CommentAPI/"
  xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:wp="http://wordpress.org/export/${version}/"
>
<channel>
  <title>The allotment</title>
  <link>https://old.example</link>
  <description>Notes of gardeners</description>
  <language>en-US</language>
  <wp:wxr_version>${version}</wp:wxr_version>
  <wp:base_site_url>https://old.example</wp:base_site_url>
  <wp:base_blog_url>https://old.example</wp:base_blog_url>
  ${authors.map(wxrAuthor).join("\n  ")}
  <wp:category><wp:term_id>1</wp:term_id><wp:category_nicename>${cdata("garden")}</wp:category_nicename><wp:category_parent></wp:category_parent><wp:cat_name>${cdata("Garden")}</wp:cat_name></wp:category>
  <generator>https://wordpress.org/?v=6.5</generator>
`;
}

/** A whole export with these items. */
export function wxr(items: (Post | string)[], authors = [LENA]): string {
  const written = items.map((item) => (typeof item === "string" ? item : wxrPost(item)));
  return `${wxrStart("1.2", authors)}${written.join("\n")}\n${WXR_END}`;
}
