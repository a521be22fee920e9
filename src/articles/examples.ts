import { AUTHOR_EXAMPLE as user } from "../users/schema.ts";
import type { Article, ArticleSummary, VideoArticle } from "./schema.ts";
import { ownOf } from "./view.ts";

const common = {
  type_of: "article" as const,
  id: 9,
  title: "Growing tomatoes on a balcony",
  description: "Three pots, one tap and a lot of string.",
  readable_publish_date: "Mar 2",
  slug: "growing-tomatoes-on-a-balcony-4k2p",
  path: "/lena/growing-tomatoes-on-a-balcony-4k2p",
  url: "https://community.example/lena/growing-tomatoes-on-a-balcony-4k2p",
  comments_count: 4,
  public_reactions_count: 12,
  positive_reactions_count: 12,
  collection_id: null,
  published_timestamp: "2026-03-02T09:15:00Z",
  cover_image: null,
  social_image: "https://community.example/assets/cards/9-5c1f6f0e2a7d4b83.png",
  canonical_url: "https://community.example/lena/growing-tomatoes-on-a-balcony-4k2p",
  created_at: "2026-03-01T18:00:00Z",
  edited_at: null,
  crossposted_at: null,
  published_at: "2026-03-02T09:15:00Z",
  last_comment_at: "2026-03-04T20:01:00Z",
  reading_time_minutes: 3,
};

export const SUMMARY_EXAMPLE: ArticleSummary = {
  ...common,
  tag_list: ["garden", "beginners"],
  tags: "garden, beginners",
  user,
};

export const ARTICLE_EXAMPLE: Article = {
  ...common,
  tag_list: "garden, beginners",
  tags: ["garden", "beginners"],
  body_html: "<p>Start with <strong>three</strong> pots.</p>\n",
  body_markdown: "Start with **three** pots.\n",
  user,
};

export const WRITTEN_ARTICLE_EXAMPLE = {
  ...ARTICLE_EXAMPLE,
  warnings: [
    'Attribute "publised" is unknown and was ignored: did you mean "published"?',
    "Attribute title was ignored: the front matter of body_markdown decides it.",
  ],
};

export const OWN_ARTICLE_EXAMPLE = ownOf({
  ...SUMMARY_EXAMPLE,
  published: true,
  published_at: "2026-03-02T09:15:00.123Z",
  page_views_count: 340,
  body_markdown: ARTICLE_EXAMPLE.body_markdown,
});

export const VIDEO_EXAMPLE: VideoArticle = {
  type_of: "video_article",
  id: 9,
  path: "/lena/warping-a-loom-4k2p",
  cloudinary_video_url: "https://community.example/uploads/loom.jpg",
  title: "Warping a loom",
  user_id: 41,
  video_duration_in_minutes: "11:47",
  video_source_url: "https://videos.example/loom.m3u8",
  user: { name: "Lena Ortiz" },
};
