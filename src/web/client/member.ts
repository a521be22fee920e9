import { enhanceForms } from "./forms.ts";
import { passwordButtons } from "./passwords.ts";
import { saveButtons } from "./saving.ts";

passwordButtons(document);
saveButtons(document);
enhanceForms();
