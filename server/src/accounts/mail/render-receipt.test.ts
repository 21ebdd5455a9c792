import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReceiptMail, StoredMail } from './mail.ts'
import { renderMail } from './render-mail.ts'

const sender = { baseUrl: 'https://pay.example.me', operatorName: 'Pazar & sinovi', supportUrl: null }
const merchant = '<b>Knjižara</b> "Šćepan"'
const at = { at: '2026-07-26T15:04:05.000Z', timeZone: 'Europe/Podgorica' }
const OTHER_MAIL: StoredMail = { kind: 'email_change_notice', ...at, ip: '2001:db8::1', userAgent: 'test' }

const receipt = {
  kind: 'receipt',
  ...at,
  merchant,
  amount: '1500',
  currency: 'EUR',
  scale: 2,
  description: null,
  order: null,
  reference: 'B78B7-2A455',
  supportEmail: null,
  website: null,
  moneyBack: null,
} as const

test('a receipt says what was returned, by whom, and how much remains paid', () => {
  const render = (moneyBack: Partial<NonNullable<ReceiptMail['moneyBack']>> | null) =>
    renderMail(
      sender,
      'en',
      {
        ...receipt,
        moneyBack: moneyBack && { refunded: '0', byBank: '0', refunding: '0', net: '1500', ...moneyBack },
      },
      null,
    )
  const headingOf = ({ html }: { html: string }) => /<h1[^>]*>([^<]*)</.exec(html)?.[1]
  const withoutRefund = render(null)
  assert.equal(headingOf(withoutRefund), 'Payment complete')
  assert.doesNotMatch(withoutRefund.text, /[Rr]efund|Remaining amount paid|returned/)
  assert.match(withoutRefund.text, /\nAmount: €15\.00\n/)
  assert.match(withoutRefund.html, /<p [^>]*>€15\.00<\/p>/)
  assert.doesNotMatch(withoutRefund.html, /Amount<\/th>/, 'the large figure is not repeated')
  const partlyRefunded = render({ refunded: '500', net: '1000', refundedAt: '2026-07-27T08:00:00.000Z' })
  assert.equal(headingOf(partlyRefunded), 'Partly refunded')
  assert.match(partlyRefunded.text, /The merchant refunded part of the amount\. It may take a few days/)
  assert.match(partlyRefunded.html, /<p [^>]*>€5\.00</, 'the large figure is the refunded amount')
  assert.match(
    partlyRefunded.html,
    /Refunded<\/th>\s*<td[^>]*>−€5\.00</,
    'the refund is a row of the calculation',
  )
  assert.match(partlyRefunded.html, /Amount paid<\/th>\s*<td[^>]*>€15\.00</)
  assert.match(
    partlyRefunded.text,
    /\nAmount paid: €15\.00\nRefunded: −€5\.00\nRemaining amount paid: €10\.00\nRefunded on: 27 Jul 2026, 10:00 CEST\n/,
  )
  assert.equal(withoutRefund.subject, `Receipt: €15.00 – ${merchant}`)
  assert.equal(partlyRefunded.subject, `Receipt (€5.00 refunded): €15.00 – ${merchant}`)
  const byBank = render({ byBank: '1500', net: '0' })
  assert.equal(headingOf(byBank), 'Refunded')
  assert.equal(byBank.subject, `Receipt (€15.00 returned by the bank): €15.00 – ${merchant}`)
  assert.match(byBank.text, /The bank returned the whole amount after a dispute\. It may take a few days/)
  assert.match(byBank.html, /<p [^>]*>€15\.00</)
  assert.match(byBank.html, /Amount paid<\/th>/)
  assert.doesNotMatch(byBank.text, /Remaining amount paid|confirms your payment/)
  const refunding = render({ refunding: '700' })
  assert.equal(headingOf(refunding), 'Payment complete')
  assert.match(refunding.text, /A refund of €7\.00 is in progress\./)
  assert.match(refunding.text, /\nRefund in progress, not deducted yet: €7\.00\n/)
  assert.doesNotMatch(refunding.text, /Remaining amount paid/)
  const refundingAll = render({ refunding: '1500' })
  assert.doesNotMatch(refundingAll.html, /Amount<\/th>/, 'the large figure is not repeated')
  assert.match(refundingAll.html, /Refund in progress, not deducted yet<\/th>\s*<td[^>]*>€15\.00</)
})

test('a receipt links to its page, in the language of the mail', () => {
  const id = '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913'
  const { text } = renderMail(sender, 'cnr', { ...receipt, transactionId: id }, null)
  assert.match(text, new RegExp(`Otvori potvrdu:\\nhttps://pay\\.example\\.me/pay/${id}\\?lang=cnr\\n`))
  assert.doesNotMatch(
    renderMail(sender, 'cnr', receipt, null).text,
    /Otvori potvrdu/,
    'a receipt that an earlier release queued has no link',
  )
})

test('a receipt has the contacts of the merchant, if there are any', () => {
  const withContacts = renderMail(
    sender,
    'en',
    { ...receipt, supportEmail: 'a?b%c+d@shop.example.me', website: 'https://shop.example.me/kontakt' },
    null,
  )
  assert.match(withContacts.text, /contact the merchant:\na\?b%c\+d@shop\.example\.me\nshop\.example\.me\n\n/)
  assert.match(
    withContacts.html,
    /<a href="mailto:a%3Fb%25c%2Bd@shop\.example\.me"[^>]*>a\?b%c\+d@shop\.example\.me<\/a>/,
  )
  assert.match(
    withContacts.html,
    /<a href="https:\/\/shop\.example\.me\/kontakt"[^>]*>shop\.example\.me<\/a>/,
  )
  assert.match(renderMail(sender, 'en', receipt, null).text, /contact the merchant\.\n\nKind/)
})

test('a receipt has the name of the merchant at the top and in its signature, and other mails have the operator’s name', () => {
  const headerOf = (mail: StoredMail) =>
    /<body[^>]*>\s*<div[^>]*>([^<]*)</.exec(renderMail(sender, 'en', mail, null).html)?.[1]
  assert.equal(headerOf({ ...receipt, merchant: 'Knjižara' }), 'Knjižara')
  assert.equal(headerOf(OTHER_MAIL), 'Pazar &amp; sinovi')
  const signatureOf = (mail: StoredMail) =>
    /Kind regards,\n(.*)\n/.exec(renderMail(sender, 'en', mail, null).text)?.[1]
  assert.equal(signatureOf({ ...receipt, merchant: 'Knjižara' }), 'Pazar & sinovi, on behalf of Knjižara')
  assert.equal(signatureOf(OTHER_MAIL), 'Pazar & sinovi')
})
