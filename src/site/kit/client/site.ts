import { copyButtons, scrollers } from "./code.ts";
import { players } from "./players.ts";
import { searchShortcut } from "./shortcut.ts";
import { suggestions } from "./suggest.ts";
import { themeButton } from "./theme.ts";

themeButton();
suggestions();
players();
copyButtons();
scrollers();
searchShortcut();
