/** Another site whose pages are shown as cards. */
export interface Service {
  /** What its tag and its class are called. */
  name: string;
  /** Other names of the tag. */
  aliases?: readonly string[];
  /** What readers see. */
  label: string;
  /** Its addresses are on these hosts and below them. */
  hosts: readonly string[];
  /** Other ways to write an address, and the address that each stands for. */
  short?: readonly (readonly [pattern: RegExp, address: string])[];
  /** The paths, with query, of what is a card; other pages are plain links. */
  paths?: RegExp;
  /** What of the path is shown. */
  shown?: RegExp;
  /** Whether its address alone in a paragraph is a card too. */
  isCardAlone?: true;
}

/** The address of a video on YouTube, with its id as the first group. */
export const YOUTUBE_VIDEO = String.raw`^https?:\/\/(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:\S*&)?v=|embed\/|shorts\/|live\/)|youtu\.be\/)([\w-]{11})`;
const WATCH = "https://www.youtube.com/watch?v=$1";

/** Every service. The first whose pages an address is one of has it. */
export const SERVICES: readonly Service[] = [
  {
    name: "youtube",
    label: "YouTube",
    hosts: ["youtube.com", "youtu.be", "youtube-nocookie.com"],
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
  },
  {
    name: "vimeo",
    label: "Vimeo",
    hosts: ["vimeo.com"],
    short: [
      [/^(\d{4,12})$/, "https://vimeo.com/$1"],
      [/^https?:\/\/player\.vimeo\.com\/video\/(\d{4,12})\S*$/i, "https://vimeo.com/$1"],
    ],
    paths: /^\/(?:\w+\/)*\d{4,12}(?:[/?]|$)/,
    isCardAlone: true,
  },
  {
    name: "codepen",
    label: "CodePen",
    hosts: ["codepen.io"],
    paths: /^\/[\w-]+\/(?:pen|embed|full|details)\/[\w-]+/,
    isCardAlone: true,
  },
  {
    name: "gist",
    label: "Gist",
    hosts: ["gist.github.com"],
    short: [[/^([\w-]+\/[0-9a-f]{7,40})$/i, "https://gist.github.com/$1"]],
    paths: /^\/(?:[\w-]+\/)?[0-9a-f]{7,40}(?:[/?]|$)/i,
    isCardAlone: true,
  },
  {
    name: "github",
    label: "GitHub",
    hosts: ["github.com"],
    short: [[/^([\w-]{1,39}(?:\/[\w.-]{1,100})?)$/, "https://github.com/$1"]],
    paths: /^\/(?!(?:features|topics|sponsors|orgs|settings|about|login)\/)[\w-]{1,39}\/[\w.-]{1,100}\/?$/,
    isCardAlone: true,
  },
  {
    name: "twitter",
    aliases: ["tweet", "x"],
    label: "X",
    hosts: ["twitter.com", "x.com"],
    short: [[/^(\d{5,20})$/, "https://twitter.com/i/status/$1"]],
    paths: /\/status\/\d+/,
  },
  { name: "bluesky", label: "Bluesky", hosts: ["bsky.app"] },
  {
    name: "instagram",
    label: "Instagram",
    hosts: ["instagram.com"],
    short: [[/^([\w-]{5,20})$/, "https://www.instagram.com/p/$1/"]],
  },
  { name: "reddit", label: "Reddit", hosts: ["reddit.com"] },
  { name: "facebook", label: "Facebook", hosts: ["facebook.com"] },
  { name: "parler", label: "Parler", hosts: ["parler.io", "parler.com"] },
  {
    name: "medium",
    label: "Medium",
    hosts: ["medium.com"],
  },
  {
    name: "wikipedia",
    label: "Wikipedia",
    hosts: ["wikipedia.org"],
  },
  {
    name: "stackexchange",
    aliases: ["stackoverflow"],
    label: "Stack Exchange",
    hosts: ["stackoverflow.com", "stackexchange.com", "superuser.com", "serverfault.com", "askubuntu.com"],
    short: [[/^(\d{1,12})$/, "https://stackoverflow.com/q/$1"]],
  },
  { name: "gitlab", label: "GitLab", hosts: ["gitlab.com"] },
  {
    name: "huggingface",
    label: "Hugging Face",
    hosts: ["huggingface.co", "hf.space"],
  },
  // Sites that run code, play sound or show slides.
  {
    name: "codesandbox",
    label: "CodeSandbox",
    hosts: ["codesandbox.io"],
    short: [[/^([\w-]{4,100})$/, "https://codesandbox.io/s/$1"]],
  },
  {
    name: "stackblitz",
    label: "StackBlitz",
    hosts: ["stackblitz.com"],
    short: [[/^([\w-]{2,100})$/, "https://stackblitz.com/edit/$1"]],
  },
  { name: "jsfiddle", label: "JSFiddle", hosts: ["jsfiddle.net"] },
  {
    name: "jsitor",
    label: "JSitor",
    hosts: ["jsitor.com"],
    short: [[/^([\w-]+)$/, "https://jsitor.com/$1"]],
  },
  {
    name: "replit",
    label: "Replit",
    hosts: ["replit.com", "repl.it"],
    short: [[/^(@[\w-]+\/[\w-]+)$/, "https://replit.com/$1"]],
  },
  {
    name: "glitch",
    label: "Glitch",
    hosts: ["glitch.com", "glitch.me"],
    short: [[/^([a-z0-9-]{2,110})$/i, "https://glitch.com/edit/#!/$1"]],
    shown: /#!\/([\w-]+)/,
  },
  {
    name: "dotnetfiddle",
    label: ".NET Fiddle",
    hosts: ["dotnetfiddle.net"],
  },
  {
    name: "kotlin",
    label: "Kotlin Playground",
    hosts: ["play.kotlinlang.org", "pl.kotl.in"],
    short: [[/^([\w-]{5,20})$/, "https://pl.kotl.in/$1"]],
  },
  { name: "golang", label: "Go Playground", hosts: ["go.dev", "play.golang.org"] },
  { name: "observablehq", label: "Observable", hosts: ["observablehq.com"] },
  { name: "livecodes", label: "LiveCodes", hosts: ["livecodes.io"] },
  { name: "netlify", label: "Netlify", hosts: ["netlify.app"] },
  {
    name: "stackery",
    label: "Stackery",
    hosts: ["app.stackery.io"],
    short: [[/^([\w-]+)$/, "https://app.stackery.io/editor/design?owner=$1"]],
    shown: /owner=([\w-]+)/,
  },
  {
    name: "nexttech",
    aliases: ["next_tech"],
    label: "Next Tech",
    hosts: ["next.tech"],
  },
  {
    name: "asciinema",
    label: "asciinema",
    hosts: ["asciinema.org"],
    short: [[/^(\w{1,40})$/, "https://asciinema.org/a/$1"]],
  },
  {
    name: "loom",
    label: "Loom",
    hosts: ["loom.com"],
    short: [[/^([0-9a-f]{32})$/i, "https://www.loom.com/share/$1"]],
  },
  {
    name: "twitch",
    label: "Twitch",
    hosts: ["twitch.tv"],
    short: [
      [/^(\d{6,12})$/, "https://www.twitch.tv/videos/$1"],
      [/^([\w-]{4,100})$/, "https://clips.twitch.tv/$1"],
    ],
  },
  {
    name: "spotify",
    label: "Spotify",
    hosts: ["open.spotify.com"],
    short: [
      [/^spotify:(track|album|artist|playlist|episode|show):(\w{22})$/, "https://open.spotify.com/$1/$2"],
    ],
  },
  { name: "soundcloud", label: "SoundCloud", hosts: ["soundcloud.com"] },
  { name: "bandcamp", label: "Bandcamp", hosts: ["bandcamp.com"] },
  {
    name: "blogcast",
    label: "Blogcast",
    hosts: ["blogcast.host"],
    short: [[/^(\d{1,9})$/, "https://blogcast.host/embed/$1"]],
  },
  {
    name: "speakerdeck",
    label: "Speaker Deck",
    hosts: ["speakerdeck.com"],
    short: [[/^(\w{32})$/, "https://speakerdeck.com/player/$1"]],
  },
  {
    name: "slideshare",
    label: "SlideShare",
    hosts: ["slideshare.net"],
    short: [[/^(\w{6,20})$/, "https://www.slideshare.net/slideshow/embed_code/key/$1"]],
  },
  { name: "gitpitch", label: "GitPitch", hosts: ["gitpitch.com"] },
];
