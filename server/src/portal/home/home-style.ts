import { colours, systemCssVariables } from '@pazar/theme'
import { toInline } from '../../http/inline.ts'

const { background, text, line, ok, info, warn } = colours.dark

/** The code has the dark theme's colours in both themes. */
const CODE = `.code pre{margin:0;padding:28px 24px;overflow-x:auto;border:1px solid ${line};border-radius:20px;background:${background};color:${text};font:14px/1.7 var(--mono);tab-size:2}
.code .k{color:${info}}.code .s{color:${ok}}.code .n{color:${warn}}`

const PICTURE = `.scene{position:relative;max-width:480px;width:100%;margin:0 auto;padding:40px 40px 88px;border-radius:28px;background:var(--surface);border:1px solid var(--line)}
.pay{overflow:hidden;border:1px solid var(--line);border-radius:18px;background:var(--raised);box-shadow:var(--shadow)}
.pay>*{margin:0 28px}
.pay .test{margin:0;padding:9px 16px;background:var(--test-bg);color:var(--test-text);font-size:13px;font-weight:650;text-align:center}
.pay .to{margin-top:26px;font-size:17px;font-weight:650}
.pay .who{color:var(--muted);font-size:15px}
.pay .sum{margin-top:10px;font-size:42px;line-height:1.1;font-weight:680;letter-spacing:-.03em;font-variant-numeric:tabular-nums}
.pay .row{display:flex;justify-content:space-between;gap:16px;padding:11px 0;border-top:1px solid var(--line);font-size:14px}
.pay .row:first-of-type{margin-top:20px}
.pay .row span:first-child{color:var(--muted)}
.pay .go{margin:14px 28px 28px;padding:14px;border-radius:12px;background:var(--accent);color:var(--on-accent);font-weight:650;text-align:center}
.toast{position:absolute;right:-16px;bottom:32px;display:flex;align-items:center;gap:14px;padding:14px 20px 14px 16px;border:1px solid var(--line);border-radius:16px;background:var(--raised);box-shadow:var(--shadow);font-size:14px;line-height:1.35}
.toast b{display:block;font-weight:650}
.toast code{color:var(--muted);font:13px var(--mono)}
.check{flex:none;display:grid;place-items:center;width:36px;height:36px;border-radius:50%;background:var(--ok-bg);color:var(--ok)}
.log{margin-top:48px;overflow:hidden;border:1px solid var(--line);border-radius:20px;background:var(--raised);box-shadow:var(--shadow);font-size:15px}
.log .top{display:flex;justify-content:space-between;padding:16px 24px;border-bottom:1px solid var(--line);font-weight:650}
.log .top span:last-child{color:var(--muted);font-weight:400}
.log .line{display:grid;grid-template-columns:166px 1.4fr 1fr 1fr 90px 120px;gap:16px;align-items:center;padding:15px 24px}
.log .line+.line{border-top:1px solid var(--line)}
.log code{font:14px var(--mono)}
.log .m{color:var(--muted);font-variant-numeric:tabular-nums;white-space:nowrap}
.log .r{text-align:right}
.chip{justify-self:start;display:inline-flex;align-items:center;gap:6px;padding:3px 11px 3px 8px;border-radius:99px;font-size:13px;font-weight:550;white-space:nowrap}
.chip svg{width:15px;height:15px;stroke-width:2.4}
.chip.ok{background:var(--ok-bg);color:var(--ok)}
.chip.warn{background:var(--warn-bg);color:var(--warn)}`

const TRIP = `.trip{display:block;width:100%;height:auto;overflow:visible}
.trip text,.trip circle{stroke:none}
.trip text{font:500 12.5px var(--font);text-anchor:middle;fill:var(--muted)}
.trip .life{stroke:var(--line);stroke-width:1.5;stroke-dasharray:3 5;fill:none}
.trip rect{fill:var(--raised);stroke:var(--control);stroke-width:1}
.trip .who{font-size:13.5px;font-weight:650;fill:var(--text)}
.trip rect.service{fill:var(--accent);stroke:var(--accent)}
.trip .who.service{fill:var(--on-accent)}
.trip g path{fill:none;stroke:var(--text);stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}
.trip circle{fill:var(--text)}
.trip .n{font-size:12px;font-weight:700;fill:var(--surface)}
.trip .result path{stroke:var(--accent);stroke-width:2.4}
.trip .result circle{fill:var(--accent)}
.trip .result text{fill:var(--accent);font-weight:650}
.trip .result .n{fill:var(--on-accent)}
.trip .back path{stroke:var(--control);stroke-dasharray:4 5}`

const LAYOUT = `:root{--shadow:0 1px 2px #0000000d,0 24px 56px -28px #00000052}
*{box-sizing:border-box}
html{scroll-behavior:smooth}
body{margin:0;background:var(--background);color:var(--text);font:17px/1.6 var(--font);-webkit-text-size-adjust:100%}
h1,h2,h3,p,ol{margin:0;padding:0}
h1,h2{font-weight:680;letter-spacing:-.032em;text-wrap:balance}
h1{font-size:clamp(39px,5vw,60px);line-height:1.05;text-wrap:wrap}
h2{font-size:clamp(32px,4vw,46px);line-height:1.08}
h3{font-size:18px;line-height:1.35;font-weight:650;letter-spacing:-.01em}
a{color:inherit;text-underline-offset:4px}
svg{width:24px;height:24px;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
.wrap{max-width:1160px;margin:0 auto;padding:0 24px}
.skip{position:absolute;left:-999px;top:8px;padding:12px 16px;border-radius:8px;background:var(--raised);z-index:1}
.skip:focus{left:8px}
.muted{color:var(--muted);text-wrap:pretty}
header.wrap{display:flex;flex-wrap:wrap;align-items:center;gap:4px 28px;padding-top:18px;padding-bottom:18px}
.name{display:flex;align-items:center;gap:12px;margin-right:auto;padding:8px 0;font-size:21px;font-weight:680;letter-spacing:-.02em;text-decoration:none}
.name svg,.foot svg{width:34px;height:34px;fill:var(--on-accent);stroke:none}
.name rect,.foot rect{fill:var(--accent)}
nav{display:flex;flex-wrap:wrap;align-items:center;gap:4px 28px}
nav a{padding:10px 0;font-size:16px;text-decoration:none;color:var(--muted)}
nav a:hover{color:var(--text);text-decoration:underline}
nav a.small{padding:9px 18px;border:1px solid var(--control);border-radius:10px;color:var(--text);font-weight:550}
.hero{display:grid;gap:64px;padding-top:56px;padding-bottom:112px}
.hero>*,.two>*{min-width:0}
.lead{margin-top:24px;max-width:32em;font-size:20px;line-height:1.5;color:var(--muted);text-wrap:pretty}
.acts{display:flex;flex-wrap:wrap;gap:12px;margin-top:36px}
.act{display:inline-flex;align-items:center;justify-content:center;min-height:54px;padding:8px 26px;border:1px solid var(--accent);border-radius:14px;background:var(--accent);color:var(--on-accent);font-weight:650;text-decoration:none;transition:filter .12s}
.act:hover{filter:brightness(1.1)}
.act.second{border-color:var(--control);background:none;color:var(--text)}
.note{margin-top:16px;font-size:15px;color:var(--muted)}
.band{background:var(--surface);border-top:1px solid var(--line);border-bottom:1px solid var(--line)}
section.wrap,.band>.wrap{padding-top:104px;padding-bottom:104px}
.intro{max-width:38em;margin-bottom:16px}
.intro .muted{margin-top:16px;font-size:19px;text-wrap:balance}
.two{display:grid;gap:64px}
.steps{display:grid;gap:28px;list-style:none;counter-reset:n}
.steps li{position:relative;padding-left:52px;counter-increment:n}
.steps li:before{content:counter(n);position:absolute;left:0;top:-2px;display:grid;place-items:center;width:34px;height:34px;border-radius:50%;background:var(--text);color:var(--surface);font-size:15px;font-weight:680}
.steps li:last-child:before{background:var(--accent);color:var(--on-accent)}
.steps .muted,.cards .muted{margin-top:6px;font-size:16px;line-height:1.55}
.cards{display:grid;gap:48px 56px;margin-top:72px}
.cards svg{display:block;width:46px;height:46px;margin-bottom:18px;padding:10px;border:1px solid var(--line);border-radius:13px;background:var(--surface);color:var(--accent)}
.code{align-items:center}
.more{display:inline-block;margin-top:24px;padding:8px 0;color:var(--accent);font-weight:650}
.phone{display:none}
.end{padding:72px 32px;border-radius:28px;background:var(--accent);color:var(--on-accent);text-align:center}
.end p{margin:16px auto 0;max-width:32em;font-size:19px;text-wrap:balance}
.end .acts{justify-content:center}
.end .act{border-color:var(--on-accent);background:var(--on-accent);color:var(--accent)}
.end .act.second{background:none;color:var(--on-accent)}
.end :focus-visible{outline-color:var(--on-accent)}
.last{padding-bottom:104px}
.foot{border-top:1px solid var(--line)}
.foot .wrap{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:8px 32px;padding-top:28px;padding-bottom:40px}
.foot .name{margin:0;font-size:17px}
.foot .name svg{width:26px;height:26px}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:6px}`

/** These rules are last, so that they override the rules above. */
const SCREENS = `@media screen and (prefers-color-scheme:dark){.end{border:1px solid var(--line);background:var(--surface);color:var(--text)}.end .act{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}.end .act.second{border-color:var(--control);color:var(--text)}.end :focus-visible{outline-color:var(--accent)}}
@media (min-width:640px){.cards{grid-template-columns:1fr 1fr}}
@media (min-width:960px){.hero{grid-template-columns:1.12fr 1fr;align-items:center;padding-top:64px}.two{grid-template-columns:1fr 1fr;gap:88px;align-items:center}.code.two{grid-template-columns:.76fr 1.24fr;gap:56px}.cards{grid-template-columns:1fr 1fr 1fr}}
@media (max-width:959px){.log .line{grid-template-columns:1fr auto;gap:4px 16px}.log .when,.log .try,.log .ms{display:none}}
@media (max-width:520px){body{font-size:16px}.hero{gap:56px;padding-top:32px;padding-bottom:80px}.scene{padding:20px 20px 76px}.pay .test{font-size:12px}.pay .row{gap:8px;font-size:13px;white-space:nowrap}.pay>*{margin:0 20px}.pay .go{margin:14px 20px 20px}.toast{left:12px;right:12px;bottom:18px}.toast code{font-size:12px}.acts .act{width:100%}section.wrap,.band>.wrap{padding-top:72px;padding-bottom:72px}.log .line{padding:14px 16px}.log .top{padding:14px 16px}.log .event{display:none}.code pre{padding:20px 12px;font-size:min(13px,3.6vw);white-space:pre-wrap;overflow-wrap:anywhere}.code i:before{content:"\\A" attr(data-indent)}.code i[data-more]:before{content:attr(data-more)}.trip text{font-size:15px}.trip .who{font-size:15.5px}.trip .n{font-size:14px}.more.phone{display:inline-block;margin-top:8px}.end{padding:56px 24px}header.wrap{gap:4px 16px}header .name{gap:8px}header .name svg{width:28px;height:28px}nav{gap:0 16px}header nav a{font-size:15px}header .small,header .wide{display:none}header .phone{display:inline}}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}.act{transition:none}}
@media (forced-colors:active){.chip,.check,.steps li:before{border:1px solid}}
@media print{.acts,.foot nav,header nav{display:none}}`

export const homeStyle = toInline(
  'style',
  systemCssVariables() + [LAYOUT, PICTURE, TRIP, CODE, SCREENS].join('\n'),
)
