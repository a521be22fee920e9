import { enhanceForms } from "./forms.ts";
import { passwordButtons } from "./passwords.ts";

passwordButtons(document);
enhanceForms();
