// The one style sheet of server-rendered pages, inline because a payer's page is a single request, and allowed by its
// hash because inline styles are otherwise refused.
import { createHash } from 'node:crypto'
import { cssVariables } from '@pazar/looks'
import type { Html } from '../lib/html.ts'
import { trustedMarkup } from '../lib/html.ts'

const RULES = `*{box-sizing:border-box}
body{margin:0;background:var(--surface);color:var(--text);font:16px/1.5 var(--font);-webkit-text-size-adjust:100%}
main{max-width:440px;margin:0 auto;padding:24px 16px}
h1{font-size:24px;line-height:1.2;font-weight:650;margin:0 0 8px}
p{margin:0 0 16px;overflow-wrap:anywhere}
a{color:var(--accent)}
.card{background:var(--raised);border:1px solid var(--line);border-radius:16px;padding:24px;margin:16px 0}
.amount{font-size:40px;line-height:1.1;font-weight:650;font-variant-numeric:tabular-nums;margin:16px 0;overflow-wrap:anywhere}
.muted{color:var(--muted);font-size:14px}
.button{display:block;width:100%;min-height:52px;padding:12px 16px;border:0;border-radius:12px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:650;text-align:center;text-decoration:none;cursor:pointer}
.button[aria-disabled=true]{opacity:.7;cursor:progress}
.bar{background:var(--test-bg);color:var(--test-text);padding:12px 16px;text-align:center;font-weight:650}
.error{background:var(--error-bg);color:var(--error);border-radius:12px;padding:12px 16px;margin:0 0 16px}
.ok{background:var(--ok-bg);color:var(--ok);border-radius:12px;padding:12px 16px;margin:0 0 16px}
dl{display:grid;grid-template-columns:auto 1fr;gap:4px 16px;margin:0 0 16px}
dt{color:var(--muted)}
dd{margin:0;text-align:right;overflow-wrap:anywhere;min-width:0}
code{font-family:var(--mono);font-size:14px;overflow-wrap:anywhere}
footer{max-width:440px;margin:0 auto;padding:0 16px 24px;color:var(--muted);font-size:14px}
.stack{display:grid;gap:12px}
nav{display:flex;gap:16px;flex-wrap:wrap}
.plain{display:block;text-align:center;padding:12px;margin-top:8px}
footer a{display:inline-block;padding:8px 0}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
@media print{.button,.plain,nav,.bar{display:none}body{background:#fff;color:#000}}
@media (forced-colors:active){.button{border:1px solid}}`

export interface Inline {
  element: Html
  /** For the page's content policy, which allows no other inline text. */
  hash: string
}

function toInline(tag: 'style' | 'script', text: string): Inline {
  const hash = `sha256-${createHash('sha256').update(text).digest('base64')}`
  return { element: trustedMarkup(`<${tag}>${text}</${tag}>`), hash }
}

export const pageStyle = toInline('style', cssVariables() + RULES)
