import { players } from "./players.ts";
import { suggestions } from "./suggest.ts";
import { themeButton } from "./theme.ts";

themeButton();
suggestions();
players();
