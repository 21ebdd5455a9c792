// The sandbox's replacement for a bank's page: the developer decides here how the payment ends.
import { html } from '../lib/html.ts'
import type { Page, PageContext } from './page-parts.ts'
import { toAmount, toMoney, toReferenceRow, toRows } from './page-parts.ts'
import { toReference } from '../payments/payment.ts'

export function sandboxBankPage(
  context: PageContext,
  payment: { id: string; amount: bigint },
  merchantName: string,
): Page {
  const words = context.words.sandboxBank
  const busyLabel = context.words.submitting.button
  return {
    title: words.heading,
    usesScript: true,
    body: html`<h1>${words.heading}</h1>
${toAmount(toMoney(context, payment.amount))}
<p>${words.text}</p>
${toRows([[context.words.labels.merchant, merchantName], toReferenceRow(context.words, toReference(payment.id))])}
<form class="stack" method="post" action="/sandbox/bank/${payment.id}" autocomplete="off"><button class="button" name="outcome" value="approve" data-busy="${busyLabel}">${words.approve}</button><button class="button second" name="outcome" value="decline" data-busy="${busyLabel}">${words.decline}</button></form>`,
  }
}
