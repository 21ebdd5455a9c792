import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAILURE_CODES } from '@pazar/contract'
import { catalogue } from './catalogue.ts'
import { findWrongWords } from './lint.ts'
import { LOCALES } from './locale.ts'
import { textsOf } from './texts.ts'

/** Terms that are the same in both languages. */
const SAME_IN_BOTH: ReadonlySet<string> = new Set([
  'API',
  'CSV',
  'HTTP',
  'ID',
  'JSON',
  'PNG',
  'QR',
  'SVG',
  'Terminal',
  'URL',
])

const cnrTexts = textsOf('cnr')
const enTexts = new Map(textsOf('en').map(({ path, text }) => [path, text]))

test('both languages have the same keys', () => {
  assert.deepEqual(cnrTexts.map(({ path }) => path).sort(), [...enTexts.keys()].sort())
  assert.ok(cnrTexts.length > 300, String(cnrTexts.length))
})

test('no Montenegrin text contains an ekavian, Croatian or Cyrillic word', () => {
  for (const { path, text } of cnrTexts) assert.deepEqual(findWrongWords(text), [], `${path}: ${text}`)
})

test('no Montenegrin text was left in English', () => {
  for (const { path, text } of cnrTexts) {
    // Values and commands are the same in both languages.
    const isValue = /\.hero$|\.contacts\.|\.command$/.test(path)
    if (!SAME_IN_BOTH.has(text) && !isValue) assert.notEqual(text, enTexts.get(path), path)
  }
})

for (const locale of LOCALES) {
  test(`${locale}: no text is empty, padded or shows a missing value`, () => {
    for (const { path, text } of textsOf(locale)) {
      assert.notEqual(text, '', path)
      assert.equal(text.trim(), text, path)
      assert.doesNotMatch(text, /undefined|NaN|\[object| {2}/, `${path}: ${text}`)
      // The API reference describes JSON, in which null is a value.
      if (!/^docs\.reference\.(?:about|fieldText)/.test(path))
        assert.doesNotMatch(text, /null/, `${path}: ${text}`)
    }
  })

  test(`${locale}: quotes, apostrophes and dots are typographic`, () => {
    for (const { path, text } of textsOf(locale)) assert.doesNotMatch(text, /["']|\.\.\./, `${path}: ${text}`)
  })
}

test('the pay button shows the amount', () => {
  assert.equal(catalogue('cnr').checkout.actions.pay('15,00\u00A0€'), 'Plati 15,00\u00A0€')
  assert.equal(catalogue('en').checkout.actions.pay('€15.00'), 'Pay €15.00')
})

test('every notice for payers says what happened, what happened to the money, and what to do next', () => {
  for (const locale of LOCALES) {
    const { notices, declined, outcomeUnknown, pending, cancelled } = catalogue(locale).checkout
    for (const notice of [...Object.values(notices), declined, outcomeUnknown, pending])
      assert.ok(notice.heading && notice.money && notice.next)
    const { heading, notPressed, orderUnpaid, unknown } = cancelled
    for (const { money, next } of [notPressed, orderUnpaid, unknown]) assert.ok(heading && money && next)
  }
})

test('every reason of a failed payment has a text for the payer and one for the merchant', () => {
  // The payer of a payment resolved as paid sees the receipt and no reason.
  const forPayers = FAILURE_CODES.filter((code) => code !== 'resolved_paid')
  for (const { checkout, portal } of LOCALES.map(catalogue)) {
    for (const code of forPayers) assert.ok(Object.hasOwn(checkout.declined.reasons, code), code)
    for (const code of FAILURE_CODES) assert.ok(Object.hasOwn(portal.payments.failures, code), code)
  }
})

test('if the outcome is unknown, the notice says not to pay again', () => {
  for (const { money } of [catalogue('cnr').checkout.pending, catalogue('cnr').checkout.outcomeUnknown]) {
    assert.match(money, /Nemojte plaćati ponovo/)
    assert.doesNotMatch(money, /nije naplaćen/)
  }
  for (const { money } of [catalogue('en').checkout.pending, catalogue('en').checkout.outcomeUnknown]) {
    assert.match(money, /Do not pay again/)
    assert.doesNotMatch(money, /not charged/)
  }
})

test('a notice that sends a payer back to the link ends with the advice to ask the merchant', () => {
  // Without a customId, the link finds the payment only by this browser's cookie. In another browser, the payer could
  // pay twice.
  const ask = {
    cnr: 'pitajte prodavca prije nego što ponovo platite.',
    en: 'ask the merchant before you pay again.',
  }
  for (const locale of LOCALES) {
    const { notices, outcomeUnknown, cancelled } = catalogue(locale).checkout
    const { paymentsStopped, busy, tooMany, pressRefused, offline } = notices
    const texts = [paymentsStopped, busy, tooMany, offline, outcomeUnknown, cancelled.notPressed]
    for (const text of [...texts.map(({ next }) => next), pressRefused.close])
      assert.ok(text.endsWith(ask[locale]), text)
  }
})

test('the most important Montenegrin texts have their agreed wording', () => {
  const words = catalogue('cnr')
  const { checkout } = words
  assert.equal(checkout.testBar, 'Testni režim: novac se ne naplaćuje')
  assert.equal(checkout.actions.cancel, 'Odustani i vrati se na sajt prodavca')
  assert.equal(checkout.title('15,00\u00A0€', 'Knjižara'), 'Platite 15,00\u00A0€ – Knjižara')
  assert.equal(checkout.redirect.heading, 'Otvaramo stranicu na kojoj završavate plaćanje')
  assert.equal(checkout.pending.heading, 'Plaćanje je u obradi')
  assert.equal(checkout.success.heading, 'Plaćanje je završeno')
  assert.equal(checkout.declined.heading, 'Plaćanje nije uspjelo')
  assert.equal(checkout.notices.alreadyPaid.heading, 'Ova narudžba je već plaćena')
  assert.equal(checkout.notices.linkExpired.heading, 'Link je istekao')
  assert.equal(checkout.notices.invalidLink.heading, 'Link za plaćanje nije ispravan')
  assert.equal(checkout.notices.busy.heading, 'Trenutno nije moguće platiti')
  assert.equal(checkout.notices.offline.heading, 'Nema internet veze')
  assert.equal(words.errors.too_many.title, 'Dostigli ste ograničenje od 5 projekata')
  assert.equal(words.errors.invalid_credentials.title, 'Pogrešna adresa e-pošte ili lozinka')
  assert.equal(words.errors.kyc_required.title, 'Potrebna je provjera identiteta')
})

test('a mail says in the right plural form how long its link is valid', () => {
  const toValidityText = (hours: number) =>
    catalogue('cnr').mail.reset_password({ hours, isInvitation: false }).paragraphs.at(-1)
  assert.match(toValidityText(1) ?? '', /važi 1 sat i/)
  assert.match(toValidityText(2) ?? '', /važi 2 sata i/)
  assert.match(toValidityText(24) ?? '', /važi 24 sata i/)
  assert.match(toValidityText(48) ?? '', /važi 48 sati i/)
})
