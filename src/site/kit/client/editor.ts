/** The page of a conflict has the styles alone. */
if (document.querySelector("form#editor") !== null) void import("./editor/begin.ts");
