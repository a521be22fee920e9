// Runs before the first paint, so that a reader's own theme never flashes.
const theme = /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1];
if (theme !== undefined) document.documentElement.dataset["theme"] = theme;
