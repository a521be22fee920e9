// Reports a read of an article that a cache in front of the server has sent.
const { article } = (document.currentScript as HTMLScriptElement).dataset;
const from = document.referrer.split("/", 3).join("/");
navigator.sendBeacon(`/views?article_id=${article}&referrer=${from}`);
