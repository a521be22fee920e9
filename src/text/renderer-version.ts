/** Stored with the HTML; a body rendered by another version is rendered again. */
export const RENDERER_VERSION = 2;
