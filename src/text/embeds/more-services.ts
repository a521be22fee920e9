import type { Service } from "./services.ts";

/** Places that run code, play sound or show slides. */
export const MORE_SERVICES: readonly Service[] = [
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
