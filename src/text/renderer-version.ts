/** Bodies of another version are rendered again. */
export const RENDERER_VERSION = 2;
