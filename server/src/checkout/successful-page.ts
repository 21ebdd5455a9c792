// The confirmation page for a URL that names no payment that can be shown. It says nothing about money.
import { toReference } from '../payments/payment.ts'
import { noticePage } from './notice-page.ts'
import { toLinkRows } from './order-pages.ts'
import { toLinkPath } from './pay-forms.ts'
import type { Confirmation } from './pay-outcome.ts'
import type { Page, PageContext } from './page-parts.ts'
import { toReferenceRow } from './page-parts.ts'

function cancelledPage(context: PageContext, checkedLink: NonNullable<Confirmation['checkedLink']>): Page {
  const { words } = context
  const style = { tone: 'info', icon: 'back' } as const
  const links = [{ href: toLinkPath(context, checkedLink.link), label: words.actions.backToPayment }]
  return noticePage(context, words.cancelled, { ...style, rows: toLinkRows(context, checkedLink), links })
}

export function successfulPage(context: PageContext, confirmation: Confirmation): Page {
  const { words } = context
  const { transactionId: id, state, checkedLink, isCancelled } = confirmation
  if (checkedLink) return cancelledPage(context, checkedLink)
  const style = { tone: 'info', icon: 'note', fallback: context.help } as const
  if (id === null) {
    const { heading } = isCancelled ? words.cancelled : words.unconfirmed
    return noticePage(context, { ...words.unconfirmed, heading }, style)
  }
  if (state === null) {
    const { unknown: heading, ...text } = words.unconfirmed
    return noticePage(context, { ...text, heading }, style)
  }
  const rows = [toReferenceRow(words, toReference(id))]
  const links = [{ href: `/pay/${id}`, label: words.actions.checkAgain }]
  return noticePage(context, words.unconfirmed, { ...style, rows, links })
}
