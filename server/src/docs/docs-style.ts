// The style sheet is inline; the Content-Security-Policy allows it by its hash.
import { cssVariables, edgeShade } from '@pazar/theme'
import { toInline } from '../http/inline.ts'
import { INDENT_MAX } from './highlight.ts'

/** Tables and tabs lie on the background of the page, not on a surface, so their edges have the background's colour. */
const tableShade = edgeShade.replaceAll('--surface', '--background')
/** Tabs scroll more often than tables, so their shade is lighter. */
const tabShade = tableShade.replaceAll('28%', '9%')

/** The rest of a line that wraps is indented by two characters more than the line itself. */
const indents = Array.from({ length: INDENT_MAX }, (_, n) => `.in${n + 1}{--in:${n + 3}ch}`).join('')

const RULES = `*{box-sizing:border-box}
html{scroll-padding-top:88px}
body{margin:0;background:var(--background);color:var(--text);font:16px/1.65 var(--font);-webkit-text-size-adjust:100%}
a{color:var(--accent);text-underline-offset:3px}
a:has(>code){text-underline-offset:5px}
.skip{position:absolute;left:-999px;top:8px;background:var(--raised);padding:12px 16px;z-index:1}
.skip:focus{left:8px}
header{position:relative;z-index:1;display:flex;flex-wrap:wrap;gap:12px 24px;align-items:center;padding:12px 16px;border-bottom:1px solid var(--line);background:var(--background)}
header>a{display:flex;align-items:center;gap:10px;color:var(--text);font-weight:650;text-decoration:none;padding:8px 0}
header svg{width:28px;height:28px;fill:var(--on-accent)}
header rect{fill:var(--accent)}
header form{order:1}
header nav{order:2;display:flex;flex-wrap:wrap;gap:0 20px;margin-left:auto}
header nav a{padding:10px 0;color:var(--muted);text-decoration:none}
header nav a:hover{color:var(--text);text-decoration:underline}
form{display:flex;gap:8px;margin:0}
form[role=search]{flex:1 1 260px;max-width:520px}
main form[role=search]{max-width:640px;margin:0 0 8px}
main form[role=search] input{min-height:52px;border-radius:12px;padding:12px 16px}
main form[role=search] button{border-radius:12px;background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.lead{max-width:68ch;font-size:18px;color:var(--muted);margin-bottom:24px}
.page.start{max-width:1120px}
.start main{max-width:none;grid-column:1}
.start h1{font-size:40px}
.start h2{font-size:18px;margin:36px 0 12px}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,280px),1fr));gap:12px;list-style:none;padding:0}
.cards li{margin:0;display:grid}
.cards a{display:block;padding:16px 20px;border:1px solid var(--line);border-radius:16px;background:var(--raised);color:var(--text);text-decoration:none}
.cards a:hover{border-color:var(--accent)}
.cards strong{display:block;font-weight:650}
.cards span{display:block;margin-top:4px;color:var(--muted);font-size:15px;line-height:1.45}
input,select{min-width:0;font:16px/1.4 var(--font);color:var(--text);background:var(--background);border:1px solid var(--control);border-radius:8px;padding:9px 12px}
input{flex:1;width:100%}
button{font:500 16px/1.4 var(--font);min-height:44px;padding:8px 16px;border:1px solid var(--control);border-radius:8px;background:var(--raised);color:var(--text);cursor:pointer}
.page{display:grid;gap:0 56px;max-width:1320px;margin:0 auto;padding:24px 16px 64px}
main{min-width:0;max-width:740px}
h1{font-size:36px;line-height:1.15;font-weight:680;letter-spacing:-.025em;margin:4px 0 16px;text-wrap:balance;overflow-wrap:anywhere}
h2{font-size:24px;line-height:1.25;font-weight:650;letter-spacing:-.015em;margin:52px 0 14px;overflow-wrap:anywhere}
h3{font-size:18px;line-height:1.3;font-weight:650;margin:36px 0 10px;overflow-wrap:anywhere}
h2 a,h3 a{color:inherit;text-decoration:none}
h2 a:hover,h3 a:hover{text-decoration:underline}
p,ul,ol,.scroll,pre,details{margin:0 0 16px}
article>h1+p{font-size:18px;line-height:1.6;color:var(--muted);margin-bottom:24px}
.eyebrow{margin:8px 0 0;color:var(--accent);font-size:14px;font-weight:650}
li{margin:0 0 8px}
li>p{margin:0 0 4px}
p,li{overflow-wrap:anywhere}
code{font:.88em var(--mono);background:var(--surface);border:1px solid var(--line);border-radius:4px;padding:1px 4px}
p code,li code{white-space:nowrap}
code.long{white-space:normal}
pre{background-color:var(--surface);border:1px solid var(--line);border-radius:12px;padding:16px 20px;margin-bottom:24px}
pre code{display:block;font-size:13.5px;line-height:1.65;white-space:pre-wrap;overflow-wrap:anywhere;tab-size:2;background:none;border:0;padding:0}
.line{display:inline-block;vertical-align:top;width:100%;padding-left:var(--in,2ch);text-indent:calc(-1*var(--in,2ch))}
.joined{white-space:nowrap}
${indents}
.bar{display:flex;justify-content:space-between;align-items:center;padding:4px 6px 4px 20px;border:1px solid var(--line);border-bottom:0;border-radius:12px 12px 0 0;color:var(--muted);font-size:14px}
.bar+pre{border-radius:0 0 12px 12px}
.tabs .bar:not(:has(+.named)) span{visibility:hidden}
.bar button{min-height:36px;padding:4px 14px;border-color:transparent;background:none;color:var(--accent);font-size:14px}
.bar button:hover{background:var(--surface)}
.scroll{overflow-x:auto;${tableShade}}
table{border-collapse:collapse;width:100%;font-size:15px;line-height:1.45}
th{text-align:left;font-size:14px;font-weight:500;color:var(--muted);white-space:nowrap}
th,td{padding:10px 16px 10px 0;border-bottom:1px solid var(--line);vertical-align:top}
td{min-width:80px}
td,td p,td li{overflow-wrap:break-word}
.checks td:first-child{width:46%}
.checks td[data-label],.checks th:not(:first-child){text-align:center}
.checks td[data-label]{color:var(--ok);font-weight:600}
.checks .no[data-label]{color:var(--muted);font-weight:400}
blockquote{margin:0 0 24px;padding:14px 20px;border-left:3px solid var(--info);border-radius:0 12px 12px 0;background:var(--info-bg)}
blockquote p{margin:0}
summary{cursor:pointer;padding:8px 0;font-weight:500}
pre .c{color:var(--muted)}
pre .s{color:var(--ok)}
pre .n{color:var(--warn)}
pre .k{color:var(--info)}
.tabs{margin:0 0 24px}
.tabs pre,.tabs details{margin-bottom:0}
.output{background-color:var(--background)}
.bar:has(+.output){padding-block:8px}
.folded{max-height:600px;overflow-y:hidden;border-bottom-left-radius:0;border-bottom-right-radius:0}
.bar+.folded{border-radius:0}
.more{width:100%;border-color:var(--line);border-top:0;border-radius:0 0 12px 12px;color:var(--accent);font-size:14px}
@supports selector(:has(a)){[data-for]{display:none}.tabs:has([data-lang=csharp][open])~[data-for=csharp],.tabs:has([data-lang=go][open])~[data-for=go]{display:block}}
@supports selector(::details-content){.tabs{display:grid;grid-template-columns:repeat(8,max-content) minmax(0,1fr);overflow-x:auto;container-type:inline-size;${tabShade};background-position:0 0,100% 0,0 0,100% 0;background-size:40px 48px,40px 48px,16px 48px,16px 48px}.tabs details{display:contents}.tabs summary{grid-row:1;list-style:none;padding:10px 12px;border-bottom:3px solid transparent;color:var(--muted);white-space:nowrap}.tabs summary:focus-visible{outline-offset:-3px}.tabs summary::-webkit-details-marker{display:none}.tabs [open]>summary{color:var(--text);border-color:var(--accent)}.tabs details::details-content{grid-row:2;grid-column:1/-1;position:sticky;left:0;width:100cqw;min-width:0}.tabs [open]::details-content{margin-top:8px}}
.fold{padding:8px 16px;border:1px solid var(--line);border-radius:12px}
.fold[open]>summary{margin-bottom:8px}
code b{font-weight:inherit}
mark{background:var(--warn-bg);color:var(--warn);border-radius:3px}
.note{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;padding:12px 16px;margin:0 0 24px;border:1px solid var(--line);border-radius:12px;color:var(--muted);font-size:15px}
.note select{flex:1;max-width:420px;text-overflow:ellipsis}
form.note{flex-wrap:nowrap;gap:8px;padding:0;border:0}
.note label{position:absolute;left:-999px}
.results{list-style:none;margin:24px 0 0;padding:0}
.results li{margin:0;padding:18px 0;border-top:1px solid var(--line)}
.results a{display:block;color:var(--text);text-decoration:none}
.results a span{display:block;color:var(--muted);font-size:14px}
.results strong{color:var(--accent);font-size:18px;font-weight:650;line-height:1.35}
.results a:hover strong{text-decoration:underline}
.results p{display:-webkit-box;margin:6px 0 0;overflow:hidden;color:var(--muted);font-size:15px;line-height:1.55;-webkit-line-clamp:3;-webkit-box-orient:vertical}
.found h1{font-size:28px}
.neighbours{display:grid;grid-template-columns:1fr 1fr;gap:12px;margin:56px 0 0}
.neighbours a{padding:14px 20px;border:1px solid var(--line);border-radius:14px;color:var(--text);font-weight:650;line-height:1.4;text-decoration:none;overflow-wrap:anywhere}
.neighbours a:hover{border-color:var(--accent)}
.neighbours .next{grid-column:2;text-align:right}
.neighbours span{display:block;color:var(--muted);font-size:14px;font-weight:400}
.markdown{display:flex;flex-wrap:wrap;gap:0 24px;margin-top:24px;font-size:14px}
.markdown a{padding:12px 0}
.menus{display:grid;grid-template-columns:1fr 1fr;gap:8px;margin:0 0 24px}
.menus [open]{grid-column:1/-1}
.menus summary{font-size:15px}
.menu ul{display:grid;grid-template-columns:1fr 1fr;gap:0 12px}
.menus h3{margin:12px 0 4px;color:var(--muted);font-size:14px}
.menus a[aria-current]{font-weight:650}
.menus details{margin:0;padding:4px 12px;background:var(--surface);border:1px solid var(--line);border-radius:12px}
.menus ul{list-style:none;margin:0 0 8px;padding:0}
.menus li{margin:0}
.menus a{display:block;padding:10px 0}
.pages,.toc{font-size:15px}
.pages h2,.toc h2{font-size:14px;color:var(--text);font-weight:650;letter-spacing:0;margin:0 0 8px}
.pages ul,.toc ul{list-style:none;margin:0;padding:0}
.pages li,.toc li{margin:0}
.pages a,.toc a{display:block;padding:10px 12px;border-radius:8px;color:var(--text);text-decoration:none}
.pages a:hover,.toc a:hover{background:var(--surface)}
.pages a[aria-current]{background:var(--surface);color:var(--accent);font-weight:650}
.pages h3{font-size:14px;color:var(--muted);font-weight:650;margin:16px 0 4px;padding:0 12px}
.pages h3:first-child{margin-top:0}
.pages>div{margin:16px -12px 0}
.pages{margin-top:48px;padding-top:24px;border-top:1px solid var(--line)}
.toc{display:none}
.routes{display:none}
.toc a{padding:5px 0 5px 14px;border-left:2px solid var(--line);border-radius:0;color:var(--muted);font-size:14px;line-height:1.45}
.toc .inner a{padding-left:26px;font-size:13px}
.menus .inner a{padding-left:16px;font-size:15px}
.toc a:hover{background:none;color:var(--text)}
.toc a[aria-current]{border-color:var(--accent);color:var(--text);font-weight:500}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
@media (max-width:640px){header{gap:4px 16px;padding:8px 16px}header nav{order:0;gap:0 14px;font-size:15px}header form[role=search]{flex-basis:100%}.wide{display:none}html{scroll-padding-top:16px}h1,.start h1{font-size:32px}.lead,article>h1+p{font-size:17px}pre{padding:14px 16px}.bar{padding-left:16px}.neighbours{grid-template-columns:1fr}.neighbours .next{grid-column:1}}
@media (min-width:900px){.cards{grid-template-columns:repeat(3,1fr)}.cards:has(>:nth-child(4):last-child){grid-template-columns:repeat(4,1fr)}}
@media (min-width:1024px){.menu{display:none}header{position:sticky;top:0}header nav a[href="#pages"]{display:none}.page:not(.start){grid-template-columns:220px minmax(0,1fr)}.pages{grid-column:1;grid-row:1;margin:0 0 0 -12px;padding:8px 0 0;border:0}.pages h2{position:absolute;left:-999px}main{grid-column:2}.pages a{padding:3px 12px}.pages h3{margin:12px 0 1px}.pages>div{margin:0;position:sticky;top:96px;max-height:calc(100vh - 112px);overflow-y:auto}}
@media (min-width:1280px){.page:not(.start){grid-template-columns:220px minmax(0,1fr) 200px}.menus{display:none}.toc{display:block;grid-column:3;grid-row:1;padding-top:16px}.toc>div{position:sticky;top:96px;max-height:calc(100vh - 112px);overflow-y:auto}}
@media print{header,.pages,.toc,.menus,.neighbours,.note,.markdown,.bar{display:none!important}body{font-size:12pt}.page{display:block;padding:0}main{max-width:none}}
@media (max-width:640px){pre code,.reference pre code{font-size:12.5px}th{white-space:normal}td{min-width:64px}td:first-child code{white-space:nowrap}.blocks td:first-child code{white-space:normal}.blocks table,.blocks tbody,.blocks tr,.blocks td,.checks table,.checks tbody,.checks td:first-child{display:block}.blocks thead,.checks thead{position:absolute;left:-999px}.blocks tr,.checks tr{padding:12px 0;border-bottom:1px solid var(--line)}.blocks td,.checks td{width:auto;min-width:0;padding:2px 0;border:0;overflow-wrap:anywhere}.blocks td:empty{display:none}.blocks td:first-child,.checks td:first-child{font-weight:600}.blocks td[data-label]{margin-top:4px}.pairs td[data-label]{color:var(--muted)}.blocks:not(.pairs) td[data-label]:before{content:attr(data-label);display:block;color:var(--muted);font-size:13px}.checks tr{display:flex;flex-wrap:wrap;gap:4px 6px}.checks td:first-child{flex:1 0 100%;width:100%}.checks td[data-label]{padding:1px 8px;border:1px solid var(--line);border-radius:6px;font-size:14px;text-align:left}.checks td[data-label]:before{content:attr(data-label) ' '}.checks .no{display:none}}
.reference h3:has(a){margin:44px 0 6px;padding-top:32px;border-top:1px solid var(--line);font-size:20px}
.reference h3+p{margin-bottom:14px}
.reference h3+p code{padding:0;border:0;background:none;font-size:15px;overflow-wrap:break-word}
.reference h3+p b{display:inline-block;margin-right:4px;padding:1px 8px;border-radius:6px;background:var(--info-bg);color:var(--info);font-size:13px;font-weight:650}
.reference pre{padding:16px 20px}
@media (min-width:641px){.reference pre code{font-size:13px}}
.questions article h2{padding-top:28px;border-top:1px solid var(--line)}
.questions article h3{margin:28px 0 8px;font-size:17px}
.changelog article h2{padding-top:28px;border-top:1px solid var(--line)}
.changelog article>p:has(>strong:only-child){margin:28px 0 10px;color:var(--accent);font-size:15px}
.changelog article ul{list-style:none;padding:0}
.changelog article li{margin:0 0 12px;color:var(--muted)}
.changelog article li strong{color:var(--text);font-weight:650}
.changelog article li code{color:var(--text)}
.changelog li>p{margin:0}
.changelog article .scroll{margin:8px 0 20px}
.changelog blockquote{border-color:var(--warn);background:var(--warn-bg)}
.action{display:inline-block;margin-right:2px;padding:1px 8px;border-radius:6px;background:var(--warn-bg);color:var(--warn);font-size:13px;font-weight:650;line-height:1.5}
.changelog blockquote .action{padding-left:0;background:none}
.reference table,.reference tbody{display:block}
.reference thead{position:absolute;left:-999px}
.reference tbody tr{display:grid;gap:2px 24px;padding:12px 0;border-bottom:1px solid var(--line)}
.reference td{min-width:0;padding:0;border:0;overflow-wrap:anywhere}
.reference td:nth-child(2){color:var(--muted);font-size:14px}
.reference td:nth-child(2) strong{color:var(--warn);font-weight:500}
.reference td:empty{display:none}
@media (max-width:640px){.reference .blocks tbody tr{display:flex;flex-wrap:wrap;gap:2px 10px;align-items:baseline}.reference .blocks td{margin:0}.reference .blocks td:before{content:none!important}.reference .blocks td:nth-child(3){flex:1 0 100%}}
@media (min-width:641px){.reference tbody tr{grid-template:auto 1fr/minmax(0,5fr) minmax(0,7fr)}.reference td:nth-child(2){grid-area:2/1}.reference td:nth-child(3){grid-area:1/2/span 2}.reference td:nth-child(2):last-child{grid-area:1/2}}
.examples pre{margin-bottom:16px}
@media (min-width:1100px){.page.reference{grid-template-columns:220px minmax(0,1fr);max-width:1520px}.reference main{max-width:none}.reference article>:not(.route),.reference .neighbours{max-width:740px}.reference .menus{display:none}.pages .routes{display:block;margin:4px 0 8px 12px}.routes a,.pages .routes a{padding:4px 0 4px 14px;border-left:2px solid var(--line);border-radius:0;color:var(--muted);font-size:14px;line-height:1.4}.pages .routes .inner a{padding-left:24px;font-size:13px}.pages .routes a:hover{background:none;color:var(--text)}.pages .routes a[aria-current]{border-color:var(--accent);background:none;color:var(--text);font-weight:500}.route{display:grid;grid-template:auto 1fr/minmax(0,9fr) minmax(0,10fr);gap:0 40px;margin-top:44px;padding-top:32px;border-top:1px solid var(--line)}.reference .route h3{margin-top:0;padding:0;border:0}.examples{grid-area:1/2/span 2;position:sticky;top:96px;align-self:start}}`

export const docsStyle = toInline('style', cssVariables() + RULES)
