import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOCALES } from '@pazar/words'
import type { StoredMail } from './mail.ts'
import { renderMail } from './render-mail.ts'

const sender = { baseUrl: 'https://pay.example.me', operatorName: 'Pazar & sinovi' }
const TOKEN = 'T'.repeat(43)
const happened = {
  at: '2026-07-26T15:04:05.000Z',
  timeZone: 'Europe/Podgorica',
  ip: '2001:db8::1',
  userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0',
}
const project = '<b>Knjižara</b> "Šćepan"'

const LINKS: [StoredMail['kind'] & ('confirm_email' | 'confirm_new_email' | 'reset_password'), string][] = [
  ['confirm_email', 'confirm-email'],
  ['confirm_new_email', 'confirm-email'],
  ['reset_password', 'reset'],
]

const NOTICES: StoredMail[] = [
  { kind: 'email_change_notice', ...happened },
  { kind: 'password_changed', ...happened },
  { kind: 'new_device', ...happened },
  { kind: 'secret_revealed', ...happened, project },
  { kind: 'secret_rotated', ...happened, project, mode: 'live' },
  { kind: 'secret_rotated', ...happened, project, mode: 'test' },
  { kind: 'url_changed', ...happened, project, fields: ['apiUrl'] },
  { kind: 'url_changed', ...happened, project },
]

for (const locale of LOCALES) {
  test(`${locale}: a link is in both text and HTML, starts with BASE_URL and has the token after the #`, () => {
    for (const [kind, page] of LINKS) {
      const mail = renderMail(sender, locale, { kind }, TOKEN)
      const link = `https://pay.example.me/${locale}/${page}#token=${TOKEN}`
      assert.ok(mail.text.split('\n').includes(link), mail.text)
      assert.ok(mail.html.includes(`href="${link}"`))
      assert.match(mail.html, locale === 'cnr' ? /<html lang="sr-Latn-ME">/ : /<html lang="en">/)
    }
  })

  test(`${locale}: a notice names time, address and browser, in the reader's time zone`, () => {
    for (const notice of NOTICES) {
      const { subject, text } = renderMail(sender, locale, notice, null)
      assert.ok(subject.length > 5 && !subject.includes('\n'))
      assert.match(text, locale === 'cnr' ? /26\.07\.2026\./ : /26 Jul 2026/)
      assert.ok(text.includes('17:04:05'), text)
      assert.ok(text.includes('2001:db8::1') && text.includes('Firefox, Windows'))
      assert.ok(!text.includes('#token='))
      if ('project' in notice) assert.ok(text.includes(project))
    }
  })

  test(`${locale}: text that an owner typed is escaped in HTML`, () => {
    for (const notice of NOTICES) {
      const { html } = renderMail(sender, locale, notice, null)
      assert.ok(!html.includes('<b>'))
      assert.ok(html.includes('Pazar &amp; sinovi'))
      if ('project' in notice) assert.ok(html.includes('&lt;b&gt;Knjižara&lt;/b&gt; &quot;Šćepan&quot;'))
    }
  })

  test(`${locale}: no part is empty, and no line is longer than mail allows`, () => {
    const mails = [
      ...NOTICES.map((notice) => renderMail(sender, locale, notice, null)),
      ...LINKS.map(([kind]) => renderMail(sender, locale, { kind }, TOKEN)),
    ]
    for (const { text, html } of mails) {
      for (const form of [text, html]) {
        assert.doesNotMatch(form, /undefined|null|\[object|NaN|false/)
        for (const line of form.split('\n')) assert.ok(Buffer.byteLength(line) < 998)
      }
    }
  })
}

test('the two languages differ in every mail', () => {
  for (const notice of NOTICES) {
    const [cnr, en] = LOCALES.map((locale) => renderMail(sender, locale, notice, null))
    assert.notEqual(cnr!.subject, en!.subject)
  }
})
