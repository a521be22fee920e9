export interface Service {
  name: string;
  aliases?: readonly string[];
  label: string;
  hosts: readonly string[];
  short?: readonly (readonly [pattern: RegExp, address: string])[];
  paths?: RegExp;
  shown?: RegExp;
  isCardAlone?: true;
}

/** The address of a video on YouTube, with its id as the first group. */
const YOUTUBE_VIDEO = String.raw`^https?:\/\/(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:\S*&)?v=|embed\/|shorts\/|live\/)|youtu\.be\/)([\w-]{11})`;
const WATCH = "https://www.youtube.com/watch?v=$1";

type Options = Pick<Service, "aliases" | "short" | "paths" | "shown" | "isCardAlone">;

function service(name: string, label: string, hosts: string, options: Options = {}): Service {
  return { name, label, hosts: hosts.split(" "), ...options };
}

/** The first matching service wins. */
export const SERVICES: readonly Service[] = [
  service("youtube", "YouTube", "youtube.com youtu.be youtube-nocookie.com", {
    short: [
      [/^([\w-]{11})(?:[?&](?:t|start)=(\d+)s?)$/, `${WATCH}&t=$2`],
      [/^([\w-]{11})$/, WATCH],
      [
        new RegExp(String.raw`${YOUTUBE_VIDEO}(?![\w-])(?:\S*[?&](?:t|start)=(\d+))\S*$`, "i"),
        `${WATCH}&t=$2`,
      ],
      [new RegExp(String.raw`${YOUTUBE_VIDEO}(?![\w-])\S*$`, "i"), WATCH],
    ],
    paths: /^\/watch\?v=/,
    shown: /v=([\w-]+)/,
    isCardAlone: true,
  }),
  service("vimeo", "Vimeo", "vimeo.com", {
    short: [
      [/^(\d{4,12})$/, "https://vimeo.com/$1"],
      [/^https?:\/\/player\.vimeo\.com\/video\/(\d{4,12})\S*$/i, "https://vimeo.com/$1"],
    ],
    paths: /^\/(?:\w+\/)*\d{4,12}(?:[/?]|$)/,
    isCardAlone: true,
  }),
  service("codepen", "CodePen", "codepen.io", {
    paths: /^\/[\w-]+\/(?:pen|embed|full|details)\/[\w-]+/,
    isCardAlone: true,
  }),
  service("gist", "Gist", "gist.github.com", {
    short: [[/^([\w-]+\/[0-9a-f]{7,40})$/i, "https://gist.github.com/$1"]],
    paths: /^\/(?:[\w-]+\/)?[0-9a-f]{7,40}(?:[/?]|$)/i,
    isCardAlone: true,
  }),
  service("github", "GitHub", "github.com", {
    short: [[/^([\w-]{1,39}(?:\/[\w.-]{1,100})?)$/, "https://github.com/$1"]],
    paths: /^\/(?!(?:features|topics|sponsors|orgs|settings|about|login)\/)[\w-]{1,39}\/[\w.-]{1,100}\/?$/,
    isCardAlone: true,
  }),
  service("twitter", "X", "twitter.com x.com", {
    aliases: ["tweet", "x"],
    short: [[/^(\d{5,20})$/, "https://twitter.com/i/status/$1"]],
    paths: /\/status\/\d+/,
  }),
  service("bluesky", "Bluesky", "bsky.app"),
  service("instagram", "Instagram", "instagram.com", {
    short: [[/^([\w-]{5,20})$/, "https://www.instagram.com/p/$1/"]],
  }),
  service("reddit", "Reddit", "reddit.com"),
  service("facebook", "Facebook", "facebook.com"),
  service("parler", "Parler", "parler.io parler.com"),
  service("medium", "Medium", "medium.com"),
  service("wikipedia", "Wikipedia", "wikipedia.org"),
  service(
    "stackexchange",
    "Stack Exchange",
    "stackoverflow.com stackexchange.com superuser.com serverfault.com askubuntu.com",
    { aliases: ["stackoverflow"], short: [[/^(\d{1,12})$/, "https://stackoverflow.com/q/$1"]] },
  ),
  service("gitlab", "GitLab", "gitlab.com"),
  service("huggingface", "Hugging Face", "huggingface.co hf.space"),
  service("codesandbox", "CodeSandbox", "codesandbox.io", {
    short: [[/^([\w-]{4,100})$/, "https://codesandbox.io/s/$1"]],
  }),
  service("stackblitz", "StackBlitz", "stackblitz.com", {
    short: [[/^([\w-]{2,100})$/, "https://stackblitz.com/edit/$1"]],
  }),
  service("jsfiddle", "JSFiddle", "jsfiddle.net"),
  service("jsitor", "JSitor", "jsitor.com", { short: [[/^([\w-]+)$/, "https://jsitor.com/$1"]] }),
  service("replit", "Replit", "replit.com repl.it", {
    short: [[/^(@[\w-]+\/[\w-]+)$/, "https://replit.com/$1"]],
  }),
  service("glitch", "Glitch", "glitch.com glitch.me", {
    short: [[/^([a-z0-9-]{2,110})$/i, "https://glitch.com/edit/#!/$1"]],
    shown: /#!\/([\w-]+)/,
  }),
  service("dotnetfiddle", ".NET Fiddle", "dotnetfiddle.net"),
  service("kotlin", "Kotlin Playground", "play.kotlinlang.org pl.kotl.in", {
    short: [[/^([\w-]{5,20})$/, "https://pl.kotl.in/$1"]],
  }),
  service("golang", "Go Playground", "go.dev play.golang.org"),
  service("observablehq", "Observable", "observablehq.com"),
  service("livecodes", "LiveCodes", "livecodes.io"),
  service("netlify", "Netlify", "netlify.app"),
  service("stackery", "Stackery", "app.stackery.io", {
    short: [[/^([\w-]+)$/, "https://app.stackery.io/editor/design?owner=$1"]],
    shown: /owner=([\w-]+)/,
  }),
  service("nexttech", "Next Tech", "next.tech", { aliases: ["next_tech"] }),
  service("asciinema", "asciinema", "asciinema.org", {
    short: [[/^(\w{1,40})$/, "https://asciinema.org/a/$1"]],
  }),
  service("loom", "Loom", "loom.com", { short: [[/^([0-9a-f]{32})$/i, "https://www.loom.com/share/$1"]] }),
  service("twitch", "Twitch", "twitch.tv", {
    short: [
      [/^(\d{6,12})$/, "https://www.twitch.tv/videos/$1"],
      [/^([\w-]{4,100})$/, "https://clips.twitch.tv/$1"],
    ],
  }),
  service("spotify", "Spotify", "open.spotify.com", {
    short: [
      [/^spotify:(track|album|artist|playlist|episode|show):(\w{22})$/, "https://open.spotify.com/$1/$2"],
    ],
  }),
  service("soundcloud", "SoundCloud", "soundcloud.com"),
  service("bandcamp", "Bandcamp", "bandcamp.com"),
  service("blogcast", "Blogcast", "blogcast.host", {
    short: [[/^(\d{1,9})$/, "https://blogcast.host/embed/$1"]],
  }),
  service("speakerdeck", "Speaker Deck", "speakerdeck.com", {
    short: [[/^(\w{32})$/, "https://speakerdeck.com/player/$1"]],
  }),
  service("slideshare", "SlideShare", "slideshare.net", {
    short: [[/^(\w{6,20})$/, "https://www.slideshare.net/slideshow/embed_code/key/$1"]],
  }),
  service("gitpitch", "GitPitch", "gitpitch.com"),
];

const ADDRESS = new RegExp(String.raw`${YOUTUBE_VIDEO}(?![\w-])`, "i");

/** The picture of a YouTube video; null for other addresses. */
export function videoPicture(url: string | null): string | null {
  const id = ADDRESS.exec(url ?? "")?.[1];
  return id === undefined ? null : `https://i.ytimg.com/vi/${id}/hqdefault.jpg`;
}
