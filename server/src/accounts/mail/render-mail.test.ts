// Why this is long: several tests render the same lists of mails.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOCALES } from '@pazar/words'
import type { UrlChange } from '@pazar/words'
import type { DisputeMail, StoredMail } from './mail.ts'
import { renderMail } from './render-mail.ts'

const sender = { baseUrl: 'https://pay.example.me', operatorName: 'Pazar & sinovi', supportUrl: null }
const TOKEN = 'T'.repeat(43)
const actionFacts = {
  at: '2026-07-26T15:04:05.000Z',
  timeZone: 'Europe/Podgorica',
  ip: '2001:db8::1',
  userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0',
}
const project = '<b>Knjižara</b> "Šćepan"'

const CHANGED_URL: UrlChange = {
  field: 'apiUrl',
  from: 'shop.example.me/pazar',
  to: 'evil.example.me/pazar',
}

const LINKS: [StoredMail, string][] = [
  [{ kind: 'confirm_email' }, 'confirm-email'],
  [{ kind: 'confirm_new_email' }, 'confirm-email'],
  [{ kind: 'reset_password', isInvitation: false }, 'reset'],
  [{ kind: 'reset_password', isInvitation: true }, 'reset'],
]

const NOTICES: StoredMail[] = [
  { kind: 'email_change_notice', ...actionFacts },
  { kind: 'password_changed', ...actionFacts },
  { kind: 'new_device', ...actionFacts },
  { kind: 'secret_revealed', ...actionFacts, project },
  { kind: 'secret_prepared', ...actionFacts, project },
  {
    kind: 'member_email_changed',
    ...actionFacts,
    project,
    member: 'b@example.me',
    formerEmail: 'a@example.me',
  },
  { kind: 'secret_rotated', ...actionFacts, project, mode: 'live' },
  { kind: 'secret_rotated', ...actionFacts, project, mode: 'test' },
  { kind: 'url_changed', ...actionFacts, project, fields: ['apiUrl'] },
  { kind: 'url_changed', ...actionFacts, project, fields: ['apiUrl'], urls: [CHANGED_URL] },
  { kind: 'url_changed', ...actionFacts, project },
  { kind: 'project_deleted', ...actionFacts, project },
  {
    kind: 'member_changed',
    ...actionFacts,
    project,
    member: 'b@example.me',
    change: 'joined',
    role: 'support',
  },
  { kind: 'refund_token_used', ...actionFacts, project, token: 'CI' },
  { kind: 'live_settings_changed', ...actionFacts, project, requireSignedLinks: true },
]

const projectFacts = { ...actionFacts, project, projectId: 'tz4a98' }

const TOKEN_REFUND: Extract<StoredMail, { kind: 'refund_token_used' }> = {
  kind: 'refund_token_used',
  ...projectFacts,
  token: 'CI',
  transactionId: 'refunded-payment',
  mode: 'live',
  amount: '1500',
  dailyCap: '50000',
  currency: 'EUR',
  scale: 2,
  reference: 'B78B7-2A455',
  order: 'order-7',
}

const NOTICE_PAGES: [StoredMail, page: string][] = [
  [{ kind: 'new_device', ...actionFacts }, 'account'],
  [{ kind: 'password_changed', ...actionFacts }, 'forgot'],
  [{ kind: 'secret_revealed', ...projectFacts }, 'projects/tz4a98/keys'],
  [{ kind: 'secret_prepared', ...projectFacts }, 'projects/tz4a98/keys'],
  [{ kind: 'secret_rotated', ...projectFacts, mode: 'live' }, 'projects/tz4a98/keys'],
  [{ kind: 'secret_rotated', ...projectFacts, mode: 'test' }, 'projects/tz4a98/keys'],
  [{ kind: 'url_changed', ...projectFacts, fields: ['apiUrl'] }, 'projects/tz4a98/settings?tab=history'],
  [{ kind: 'email_change_notice', ...actionFacts, newEmail: 'm•••@example.me' }, 'account'],
  [
    { kind: 'live_settings_changed', ...projectFacts, events: ['payment.result'] },
    'projects/tz4a98/settings',
  ],
]

const outageFacts = {
  at: actionFacts.at,
  timeZone: actionFacts.timeZone,
  project,
  projectId: 'tz4a98',
  count: 3,
}
const failureFacts = { ...outageFacts, cause: 'Your server did not respond.', fix: 'Start it.' }
const since = '2026-07-26T14:00:00.000Z'

const DELIVERIES: [StoredMail, page: string][] = [
  [{ kind: 'deliveries_failing', ...failureFacts, since }, 'deliveries?mode=live&status=pending'],
  [{ kind: 'deliveries_exhausted', ...failureFacts }, 'deliveries?mode=live&status=exhausted'],
  [{ kind: 'deliveries_healed', ...outageFacts, givenUp: 0 }, 'deliveries?mode=live'],
]

const incident: StoredMail = {
  kind: 'incident',
  at: actionFacts.at,
  timeZone: 'UTC',
  what: 'mismatch',
  number: 41,
  transactionId: 'first-payment',
  others: [{ number: 42, transactionId: 'second-payment' }],
  count: 2,
}

const dispute: DisputeMail = {
  kind: 'dispute_opened',
  reader: 'merchant',
  at: actionFacts.at,
  timeZone: 'UTC',
  project,
  projectId: 'tz4a98',
  transactionId: 'disputed-payment',
  mode: 'live',
  state: 'open',
  amount: '4007',
  currency: 'EUR',
  scale: 2,
  respondBy: '2026-08-02T09:08:07.000Z',
  reference: 'B78B7-2A455',
  order: 'order-1045',
}

const DISPUTES: DisputeMail[] = (['merchant', 'operator', 'operator_alone'] as const).flatMap((reader) => [
  { ...dispute, reader },
  { ...dispute, reader, state: 'inquiry', respondBy: null },
  { ...dispute, reader, kind: 'dispute_closed', state: 'won' },
])

for (const locale of LOCALES) {
  test(`${locale}: a link is in both text and HTML, starts with BASE_URL and has the token after the #`, () => {
    for (const [stored, page] of LINKS) {
      const mail = renderMail(sender, locale, stored, TOKEN)
      const link = `https://pay.example.me/${locale}/${page}#token=${TOKEN}`
      assert.ok(mail.text.split('\n').includes(link), mail.text)
      assert.ok(mail.html.includes(`href="${link}"`))
      assert.match(mail.html, locale === 'cnr' ? /<html lang="sr-Latn-ME">/ : /<html lang="en">/)
    }
  })

  test(`${locale}: a notice names the IP address, the browser and the time in the reader's time zone`, () => {
    for (const notice of NOTICES) {
      const { subject, text } = renderMail(sender, locale, notice, null)
      assert.ok(subject.length > 5 && !subject.includes('\n'))
      assert.match(text, locale === 'cnr' ? /26\.07\.2026\./ : /26 Jul 2026/)
      assert.ok(text.includes('17:04 CEST'), text)
      assert.ok(text.includes('2001:db8::1') && text.includes('Firefox, Windows'))
      assert.ok(!text.includes('#token='))
      if ('project' in notice) assert.ok(text.includes(project))
    }
  })

  test(`${locale}: text that a person typed is escaped in HTML`, () => {
    for (const notice of NOTICES) {
      const { html } = renderMail(sender, locale, notice, null)
      assert.ok(!html.includes('<b>'))
      assert.ok(html.includes('Pazar &amp; sinovi'))
      if ('project' in notice) assert.ok(html.includes('&lt;b&gt;Knjižara&lt;/b&gt; &quot;Šćepan&quot;'))
    }
  })

  test(`${locale}: a notice that asks the reader to act has a button to the right page`, () => {
    for (const [mail, page] of NOTICE_PAGES) {
      const { text, html } = renderMail(sender, locale, mail, null)
      const link = `https://pay.example.me/${locale}/${page}`
      assert.ok(text.split('\n').includes(link), text)
      assert.match(html, /<a href="[^"]+" style="[^"]+">[^<]{5,}<\/a>/)
      assert.ok(html.includes(`href="${link}"`) && !html.includes('undefined'), html)
    }
  })

  test(`${locale}: a mail about callbacks names the project and links to the callbacks it is about`, () => {
    for (const [mail, page] of DELIVERIES) {
      const { text, html } = renderMail(sender, locale, mail, null)
      const link = `https://pay.example.me/${locale}/projects/tz4a98/${page}`
      assert.ok(text.split('\n').includes(link), text)
      assert.ok(html.includes(`href="${link.replaceAll('&', '&amp;')}"`), html)
      assert.ok(text.includes(project) && text.includes('3'))
      if ('cause' in mail) assert.ok(text.includes(mail.cause) && text.includes(mail.fix))
      if ('since' in mail) assert.ok(text.includes('16:00'), text)
    }
  })

  test(`${locale}: a mail without a link has no button, and says why it was sent`, () => {
    const closed: StoredMail = { kind: 'account_closed', at: actionFacts.at, timeZone: actionFacts.timeZone }
    // Like notices of an earlier release, these notices about projects lack the project's ID, so they have no link.
    const ofAccount = new Set<string>(['new_device', 'password_changed', 'email_change_notice'])
    const notices = NOTICES.filter(({ kind }) => !ofAccount.has(kind))
    for (const mail of [...notices, closed, incident]) {
      const { text, html } = renderMail(sender, locale, mail, TOKEN)
      assert.ok(!html.includes('<a ') && !text.includes(TOKEN), mail.kind)
      assert.match(text, /\n\n-- \n\S.*\n$/)
    }
    // The reader of these mails has no account, so the usual reason would be wrong.
    const toFooter = (mail: StoredMail) => renderMail(sender, locale, mail, null).text.split('-- \n')[1]
    for (const mail of [closed, incident]) assert.notEqual(toFooter(mail), toFooter(NOTICES[0]!), mail.kind)
  })

  test(`${locale}: a mail about incidents names each of them with its payment`, () => {
    const { text } = renderMail(sender, locale, incident, null)
    for (const part of ['41', 'first-payment', '42', 'second-payment', '15:04 UTC'])
      assert.ok(text.includes(part), part)
  })

  test(`${locale}: the mail about a refund made with a token names the amount, the order and the token's daily limit`, () => {
    const { text } = renderMail(sender, locale, TOKEN_REFUND, null)
    const amounts = locale === 'cnr' ? ['15,00', '500,00'] : ['€15.00', '€500.00']
    const page = 'projects/tz4a98/transactions?mode=live&q=refunded-payment'
    for (const part of [...amounts, 'order-7', 'B78B7-2A455', 'CI', page])
      assert.ok(text.includes(part), part)
  })

  test(`${locale}: the mail about a refund made with a token marks a test payment in subject, title and text`, () => {
    const isMarked = /^Test: /
    const noMoney = /This is a test payment: no money moved|Ovo je testno plaćanje, bez stvarnog novca/
    const kindOf = {
      test: /for a test payment|za testno plaćanje/,
      live: /for a live payment|za stvarno plaćanje/,
    }
    const toTitle = (html: string) => /<h1[^>]*>([^<]*)/.exec(html)?.[1]?.trim() ?? ''
    for (const mode of ['test', 'live'] as const) {
      const { subject, text, html } = renderMail(sender, locale, { ...TOKEN_REFUND, mode }, null)
      for (const [name, isTest] of Object.entries({
        subject: isMarked.test(subject),
        title: isMarked.test(toTitle(html)),
        text: noMoney.test(text),
        html: noMoney.test(html),
      }))
        assert.equal(isTest, mode === 'test', `${mode}: ${name}`)
      assert.match(text, kindOf[mode])
    }
    const ofEarlierRelease = renderMail(sender, locale, { ...TOKEN_REFUND, mode: undefined }, null)
    assert.doesNotMatch(ofEarlierRelease.subject, isMarked)
    assert.doesNotMatch(ofEarlierRelease.text, /test|live payment|stvarn/i)
    assert.match(ofEarlierRelease.text, /its first one today \(UTC\)|njegov prvi današnji povraćaj \(dan/)
  })

  test(`${locale}: the mail about a won dispute says that the money is returned, or that nothing had been withdrawn`, () => {
    const render = (wasWithdrawn: boolean | null, wasRefunded = false) => {
      const closed = { ...dispute, kind: 'dispute_closed', state: 'won', wasWithdrawn, wasRefunded } as const
      return renderMail(sender, locale, closed, null)
    }
    assert.equal(new Set([true, false, null].map((one) => render(one).subject)).size, 3)
    assert.match(render(true).text, /€40\.07 is returned to you|vraća vam se 40,07/)
    assert.match(render(false).text, /Nothing had been withdrawn|Ništa nije bilo povučeno/)
    assert.doesNotMatch(render(true).text, /stays refunded|ostaje vraćeno/, 'nothing was refunded')
    assert.match(render(true, true).text, /stays refunded|ostaje vraćeno/)
  })

  test(`${locale}: merchant and operator get different texts about a dispute`, () => {
    const page = `https://pay.example.me/${locale}/projects/tz4a98/transactions?mode=live&q=disputed-payment`
    const render = (facts: Partial<DisputeMail>) =>
      renderMail(sender, locale, { ...dispute, ...facts }, null).text
    const own = /you operate this service|vodite ovaj servis/
    for (const facts of [
      {},
      { state: 'inquiry' as const },
      { kind: 'dispute_closed', state: 'lost' } as const,
    ]) {
      const merchant = render({ ...facts, reader: 'merchant' })
      const operator = render({ ...facts, reader: 'operator' })
      assert.ok(merchant.split('\n').includes(page) && !own.test(merchant), merchant)
      assert.ok(!operator.includes('https://') && own.test(operator), operator)
      // The first two paragraphs after the greeting.
      assert.notDeepEqual(merchant.split('\n\n').slice(1, 3), operator.split('\n\n').slice(1, 3))
    }
    assert.notEqual(render({ reader: 'operator' }), render({ reader: 'operator_alone' }))
  })

  test(`${locale}: the mail about a closed dispute names no deadline`, () => {
    const isDeadlineIn = (facts: Partial<DisputeMail>) =>
      renderMail(sender, locale, { ...dispute, ...facts }, null).text.includes('09:08')
    assert.ok(isDeadlineIn({}))
    assert.ok(!isDeadlineIn({ kind: 'dispute_closed', state: 'won' }))
  })

  test(`${locale}: the subject of a mail about a dispute has amount and project, and the text names the payment`, () => {
    const render = (facts: Partial<DisputeMail>, supportUrl: string | null = null) =>
      renderMail({ ...sender, supportUrl }, locale, { ...dispute, ...facts }, null)
    const amount = locale === 'cnr' ? '40,07\u00A0€' : '€40.07'
    const day = locale === 'cnr' ? '02.08.' : '2 Aug'
    const opened = render({})
    const task = locale === 'cnr' ? 'odmah pošaljite dokaze' : 'send evidence now'
    for (const part of [amount, task, project]) assert.ok(opened.subject.includes(part), opened.subject)
    assert.ok(
      !opened.subject.includes(day),
      'a merchant must act before the bank’s deadline, so the subject does not name it',
    )
    const ofOperator = render({ reader: 'operator' }).subject
    for (const part of [amount, day, project]) assert.ok(ofOperator.includes(part), ofOperator)
    assert.equal(opened.html.split(amount).length - 1, 3, 'in the title, the heading and the table')
    const [deadline] = /<th scope="row"[^>]*>[^<]*<\/th>\s*<td[^>]*>[\s\S]*?<\/td>/.exec(opened.html) ?? []
    assert.ok(deadline?.includes('09:08'), deadline)
    for (const part of ['B78B7-2A455', 'order-1045', amount]) assert.ok(opened.text.includes(part), part)
    assert.ok(!opened.text.includes(': disputed-payment'), 'a merchant does not search for the id')
    assert.ok(render({ reader: 'operator' }).text.includes(': disputed-payment'))
    assert.ok(
      render({ reference: null }).text.includes(': disputed-payment'),
      'a mail that an earlier release queued',
    )
    const asked = render({ reason: 'product_not_received' }, 'mailto:help@example.me')
    assert.match(asked.text, /\(help@example\.me\)/)
    assert.equal(asked.text.split('help@example.me').length, 2, 'only in the sentence that asks for evidence')
    assert.match(asked.html, /href="mailto:help@example\.me\?subject=[^"]*B78B7-2A455/)
    assert.match(asked.text, /nothing was delivered|nije isporučen/)
    assert.equal(render({ reason: 'a_code_of_the_bank' }).text, render({}).text)
    const closed = render({ kind: 'dispute_closed', state: 'lost' }).subject
    assert.ok(closed.includes(amount) && closed.includes(project) && !closed.includes(day), closed)
  })

  test(`${locale}: no text contains a missing value, and no line is longer than a mail allows`, () => {
    const mails = [
      ...NOTICES.map((notice) => renderMail(sender, locale, notice, null)),
      ...LINKS.map(([stored]) => renderMail(sender, locale, stored, TOKEN)),
      ...DISPUTES.map((mail) => renderMail(sender, locale, mail, null)),
    ]
    for (const { text, html } of mails) {
      for (const form of [text, html]) {
        assert.doesNotMatch(form, /undefined|null|\[object|NaN|false/)
        // RFC 5322 allows 998 characters in a line.
        for (const line of form.split('\n')) assert.ok(Buffer.byteLength(line) < 998)
      }
    }
  })
}

test('the subject of each notice differs between the two languages', () => {
  for (const notice of NOTICES) {
    const [cnr, en] = LOCALES.map((locale) => renderMail(sender, locale, notice, null))
    assert.notEqual(cnr!.subject, en!.subject)
  }
})

test('a mail about changed URLs shows the old and the new value of each URL', () => {
  const render = (urls: readonly UrlChange[]) =>
    renderMail(sender, 'en', { kind: 'url_changed', ...actionFacts, project, urls: [...urls] }, null)
  const changed = render([CHANGED_URL, { field: 'testApiUrl', from: 'test.example.me/', to: null }])
  assert.match(changed.text, /\nCallback URL\nOld: shop\.example\.me\/pazar\nNew: evil\.example\.me\/pazar\n/)
  assert.match(
    changed.html,
    /<p><strong>Callback URL<\/strong><br \/>Old: shop\.example\.me\/<wbr \/>pazar<br \/>New: evil\.example\.me\/<wbr \/>pazar</,
  )
  assert.match(changed.text, /\nTest callback URL\nOld: test\.example\.me\/\nNew: not set\n/)
  const inQuery = render([{ field: 'resultUrl', from: 'shop.example.me/', to: 'shop.example.me/' }])
  assert.match(inQuery.text, /\nReturn URL\nshop\.example\.me\/ \(only a part that we do not show/)
})

test('the URL of a link stands after “Kind regards”, and short labels stay on one line', () => {
  const { html } = renderMail(sender, 'en', LINKS[0]![0], TOKEN)
  assert.ok(html.indexOf('Kind regards') < html.indexOf(`>https://pay.example.me/`), html)
  assert.match(renderMail(sender, 'en', NOTICES[2]!, null).html, /nowrap">IP address</)
})
