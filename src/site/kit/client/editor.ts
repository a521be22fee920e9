/** What the editor does with a script. */
document.getElementById("editor-status")?.replaceChildren();
