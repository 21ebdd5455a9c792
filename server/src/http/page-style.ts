// The style sheet of payers' pages is inline, so that each page is a single request.
import { systemCssVariables } from '@pazar/theme'
import { toInline } from './inline.ts'

const RULES = `*{box-sizing:border-box}
[hidden]{display:none!important}
body{display:flex;flex-direction:column;min-height:100vh;margin:0;background:var(--raised);color:var(--text);font:16px/1.5 var(--font);-webkit-text-size-adjust:100%}
main,footer{width:100%;max-width:480px;margin:0 auto;padding:24px 20px}
h1{font-size:20px;line-height:1.3;font-weight:650;margin:0;overflow-wrap:anywhere;text-wrap:balance}
.mark+h1{font-size:24px;line-height:1.2}
p{margin:8px 0 0;overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:3px}
strong{font-weight:650}
.ok~p strong{font-weight:400}
.amount{font-size:44px;line-height:1.1;font-weight:650;letter-spacing:-.02em;font-variant-numeric:tabular-nums;margin:12px 0 24px;overflow-wrap:anywhere}
.long{font-size:min(28px,7.5vw)}
.muted,small{color:var(--muted);font-size:14px}
.small{margin-top:24px}
dl{margin:24px 0 0;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums}
dl div{display:flex;justify-content:space-between;gap:24px;padding:12px 0;border-top:1px solid var(--line)}
dt{max-width:50%;color:var(--muted)}
dd{margin:0;text-align:right;overflow-wrap:anywhere}
.who>div,dd{min-width:0}
code{font:14px var(--mono);user-select:all;overflow-wrap:anywhere}
.stack{display:grid;gap:12px;margin-top:24px}
.button,.plain{display:flex;align-items:center;justify-content:center;gap:12px;width:100%;border-radius:12px;font:inherit;text-align:center;cursor:pointer}
.button{min-height:52px;padding:8px 16px;border:1px solid transparent;background:var(--accent);color:var(--on-accent);font-weight:650;text-decoration:none;font-variant-numeric:tabular-nums}
.second{background:none;border-color:var(--control);color:var(--text)}
.plain{min-height:44px;padding:8px;border:0;background:none;color:var(--muted);text-decoration:underline}
.button:hover{filter:brightness(1.08)}
.plain:hover,footer a:hover{color:var(--text)}
.button[aria-disabled=true]{cursor:progress;filter:none;background:var(--surface);border-color:var(--line);color:var(--muted)}
.button[aria-disabled=true]:before{content:"";width:18px;height:18px;border:2px solid;border-right-color:transparent;border-radius:50%;opacity:0;animation:show 0s .2s forwards,turn 1s linear infinite}
@keyframes show{to{opacity:1}}
@keyframes turn{to{transform:rotate(1turn)}}
.bar{background:var(--test-bg);color:var(--test-text);padding:10px 12px;text-align:center;font-size:14px;font-weight:650}
.who{display:flex;align-items:center;gap:16px;margin-bottom:20px}
dt,.letter{flex:none}
.letter{border:1px solid var(--line);border-radius:12px;background:var(--surface);font-size:20px;font-weight:650}
.mark,.letter{display:grid;place-items:center;width:48px;height:48px}
.mark{position:relative;margin:0 0 16px;border-radius:50%}
svg{width:24px;height:24px;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.busy:after{content:"";position:absolute;inset:0;border:2px solid #8883;border-top-color:currentColor;border-radius:50%;animation:turn 2s linear infinite}
.alert{display:flex;gap:8px;margin:0 0 12px;padding:14px;border-radius:12px}
.alert:focus{outline:0}
.alert svg{flex:none;width:20px}
.alert .muted{padding-top:8px}
.alert p:not(.muted){color:var(--text)}
.ok{background:var(--ok-bg);color:var(--ok)}
.info{background:var(--info-bg);color:var(--info)}
.warn{background:var(--warn-bg);color:var(--warn)}
.error{background:var(--error-bg);color:var(--error)}
footer{margin-top:auto;color:var(--muted);font-size:14px;text-align:center}
footer span{display:block}
footer svg{width:16px;height:16px;margin-right:6px;vertical-align:-2px}
.who p,.alert p,footer p,.stack .muted{margin:0}
footer nav{display:flex;flex-wrap:wrap;justify-content:center;column-gap:24px}
footer a{color:inherit;padding:12px 0;text-decoration:none}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
@media (min-width:480px){body{background:var(--surface)}main{padding-top:min(9vh,88px)}footer{margin-top:0}.stack:last-child>.plain:last-child{margin-bottom:-16px}.card{background:var(--raised);border:1px solid var(--line);border-radius:20px;padding:36px;box-shadow:0 24px 48px -32px #0003}}
@media (prefers-reduced-motion:reduce){.button[aria-disabled=true]:before{animation:show 0s .2s forwards}.busy:after{animation:none;border-color:currentColor}}
@media (forced-colors:active){.button{border-color:ButtonText}.alert,.mark,.bar{border:1px solid}}
@media print{:root{--text:#000;--muted:#333;--line:#999}@page{margin:20mm}body,.card{background:#fff!important}main,footer{max-width:none;padding:0}.card{border:0;padding:0;box-shadow:none}dl div{break-inside:avoid}.bar{border:1px solid}.mark{print-color-adjust:exact}.button,.plain,details,footer nav{display:none}}`

/** Each page contains these bytes. So the unused `--background` is removed, and the font lists are short. */
const variables = systemCssVariables()
  .replaceAll(/--background:[^;]+;/g, '')
  .replace(/--font:[^;]+/, '--font:system-ui,sans-serif')
  .replace(/--mono:[^;]+/, '--mono:ui-monospace,Consolas,monospace')

export const pageStyle = toInline('style', variables + RULES.replaceAll('\n', ''))
