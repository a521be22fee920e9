import { AUTHOR_EXAMPLE as user } from "../users/schema.ts";
import type { Article, ArticleSummary, VideoArticle } from "./schema.ts";
import { ownOf } from "./view.ts";

const common = {
  type_of: "article" as const,
  id: 33,
  title: "Growing tomatoes from seed in a cold climate",
  description: "Sow indoors in March, and wait for the last frost.",
  readable_publish_date: "Mar 2",
  slug: "growing-tomatoes-from-seed-in-a-cold-climate",
  path: "/mara_lindqvist/growing-tomatoes-from-seed-in-a-cold-climate",
  url: "https://community.example/mara_lindqvist/growing-tomatoes-from-seed-in-a-cold-climate",
  comments_count: 4,
  public_reactions_count: 12,
  positive_reactions_count: 12,
  collection_id: null,
  published_timestamp: "2026-03-02T09:15:00Z",
  cover_image: null,
  social_image: "https://community.example/assets/cards/33-5c1f6f0e2a7d4b83.png",
  canonical_url: "https://community.example/mara_lindqvist/growing-tomatoes-from-seed-in-a-cold-climate",
  created_at: "2026-03-01T18:00:00Z",
  edited_at: null,
  crossposted_at: null,
  published_at: "2026-03-02T09:15:00Z",
  last_comment_at: "2026-03-04T20:01:00Z",
  reading_time_minutes: 3,
};

export const SUMMARY_EXAMPLE: ArticleSummary = {
  ...common,
  tag_list: ["gardening", "beginners"],
  tags: "gardening, beginners",
  user,
};

export const ARTICLE_EXAMPLE: Article = {
  ...common,
  tag_list: "gardening, beginners",
  tags: ["gardening", "beginners"],
  body_html: "<p>Sow <strong>indoors</strong> in March.</p>\n",
  body_markdown: "Sow **indoors** in March.\n",
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
  id: 18,
  path: "/vera_sokolova/bicycle-rescue-brake-cables",
  cloudinary_video_url: "https://community.example/assets/demo/brake-cables.webp",
  title: "Bicycle rescue, part 1: brake cables",
  user_id: 2,
  video_duration_in_minutes: "0:04",
  video_source_url: "https://community.example/assets/demo/brake-cables.webm",
  user: { name: "Вера Соколова" },
};
