// Only receipts need this style, for example for the form that mails the receipt and for the printed sheet.
import { colours } from '@pazar/theme'
import { toInline } from '../http/inline.ts'

const { ok, okBg, info, infoBg } = colours.light

const RULES = `.pair{display:flex;flex-wrap:wrap;gap:12px}
.pair>*{flex:1 1 120px;min-width:max-content}
.pair>details{flex-grow:2}
.pair .button{padding:8px 4px}
.sent{display:grid}
.pair [open]{flex-basis:100%;min-width:0;margin-top:12px;padding-top:24px;border-top:1px solid var(--line)}
.pair [open]>summary{justify-content:start;min-height:0;padding:0;border:0;color:var(--text);font-size:18px;font-weight:650;text-decoration:none}
details .stack{margin-top:12px}
.stack:has([open])>a.button{background:none;border-color:var(--control);color:var(--text)}
label{display:grid;gap:8px}
dd small{white-space:nowrap}
div:has(>dd small)>*{flex:none}
div:has(>dd small)>dt{flex:0 1 auto}
h1+.amount,p+.amount,.label{margin-top:20px}
.label+.amount{margin-top:0}
.label{margin-bottom:0}
input{min-height:48px;width:100%;padding:8px 12px;border:1px solid var(--control);border-radius:8px;background:none;color:inherit;font:inherit}
[aria-invalid]{border-color:var(--error);box-shadow:0 0 0 1px var(--error);outline-color:var(--error)}
.invalid{margin:0;color:var(--error);font-size:14px}
.paper{display:none}
@media print{:root{--ok:${ok};--ok-bg:${okBg};--info:${info};--info-bg:${infoBg}}body{display:block}main,footer{max-width:120mm;padding:12px}footer{text-align:left}footer span{margin:0 16px 0 0}.paper{display:block}b.paper{margin-bottom:16px;padding-bottom:12px;border-bottom:2px solid;font-size:28px}.alert{display:none}}`

export const receiptStyle = toInline('style', RULES.replaceAll('\n', ''))
