import { checkedFields } from "./checking.ts";
import { commentForms } from "./comments.ts";
import { watchCopies } from "./copies.ts";
import { enhanceForms } from "./forms.ts";
import { closingMenu } from "./menu.ts";
import { passwordButtons } from "./passwords.ts";
import { saveButtons } from "./saving.ts";

closingMenu();
passwordButtons(document);
saveButtons(document);
checkedFields(document);
enhanceForms();
commentForms();
watchCopies();
