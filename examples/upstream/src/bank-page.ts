// The bank's page on which a payer approves or declines: plain HTML with two buttons.
import type { Payment } from './ledger.ts'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? char)
}

export function toBankPage(payment: Payment): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Reference bank</title>
<h1>Reference bank</h1>
<p>${escape(payment.amount)} ${escape(payment.currency)}. No money moves here.</p>
<form method="post">
<button name="outcome" value="approve">Approve</button>
<button name="outcome" value="decline">Decline</button>
</form>
`
}
