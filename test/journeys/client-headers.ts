/** The headers of public clients, as seen on the wire; the texts are ours. */
export const CLIENTS = {
  "devto-cli": {
    "user-agent": "got (https://github.com/sindresorhus/got)",
    accept: "application/json",
    "accept-encoding": "gzip, deflate, br",
  },
  "dev-to-git": {
    "user-agent": "got/9.6.0 (https://github.com/sindresorhus/got)",
    accept: "application/json",
    "accept-encoding": "gzip, deflate",
  },
  "dev-to-js": {
    // Also where there is no body.
    "content-type": "application/json",
    accept: "*/*",
    "accept-language": "*",
    "sec-fetch-mode": "cors",
    "user-agent": "node",
    "accept-encoding": "gzip, deflate",
  },
  "gatsby-source-dev, listing": {
    accept:
      "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3",
    "cache-control": "no-cache",
    pragma: "no-cache",
    "accept-encoding": "gzip, deflate, br",
    "accept-language": "en-GB,en-US;q=0.9,en;q=0.8",
    "upgrade-insecure-requests": "1",
    "user-agent": "axios/0.19.2",
  },
  "gatsby-source-dev, reading": {
    accept: "application/json, text/plain, */*",
    "user-agent": "axios/0.19.2",
  },
  "cross-post-blog": {
    accept: "application/json, text/plain, */*",
    "user-agent": "axios/0.21.4",
  },
};
