import { checkedFields } from "./checking.ts";
import { enhanceForms } from "./forms.ts";
import { passwordButtons } from "./passwords.ts";
import { saveButtons } from "./saving.ts";

passwordButtons(document);
saveButtons(document);
checkedFields(document);
enhanceForms();
