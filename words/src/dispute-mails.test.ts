// Tests the mails about disputes. A refund may end an inquiry. After a refund during a dispute, the payer could get the
// money twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue } from './catalogue.ts'
import { LOCALES } from './locale.ts'
import type { DisputeFacts } from './mail-facts.ts'

const REFUND_IN_PORTAL = { en: /refund the payer.*in the portal/, cnr: /vratite novac.*na portalu/ }
const DO_NOT_REFUND = { en: /do not return the money/, cnr: /ne vraćajte novac/ }

const FACTS = {
  project: 'Knjižara',
  transactionId: 'id',
  mode: 'live',
  amount: '€15.00',
  reference: null,
  order: null,
  respondBy: null,
  respondByDay: null,
  operatorContact: null,
  operatorUrl: null,
} as const

for (const locale of LOCALES) {
  const { dispute_opened: toOpened, dispute_closed: toClosed } = catalogue(locale).mail
  const adviceFor = (reader: DisputeFacts['reader'], state: DisputeFacts['state']) =>
    toOpened({ ...FACTS, reader, state }).advice

  test(`in ${locale}: a merchant may refund during an inquiry, in the portal`, () => {
    assert.match(adviceFor('merchant', 'inquiry'), REFUND_IN_PORTAL[locale])
    assert.doesNotMatch(adviceFor('merchant', 'inquiry'), DO_NOT_REFUND[locale])
  })

  test(`in ${locale}: a merchant is warned against refunding while a dispute is open`, () => {
    assert.match(adviceFor('merchant', 'open'), DO_NOT_REFUND[locale])
    assert.doesNotMatch(adviceFor('merchant', 'open'), REFUND_IN_PORTAL[locale])
  })

  test(`in ${locale}: the operator is neither advised to refund nor warned against it`, () => {
    for (const state of ['inquiry', 'open'] as const) {
      assert.doesNotMatch(adviceFor('operator', state), REFUND_IN_PORTAL[locale])
      assert.doesNotMatch(adviceFor('operator', state), DO_NOT_REFUND[locale])
    }
  })

  test(`in ${locale}: the subject of a mail about a test payment begins with "Test"`, () => {
    for (const toMail of [toOpened, toClosed]) {
      const subjectOf = (mode: DisputeFacts['mode']) =>
        toMail({ ...FACTS, mode, reader: 'merchant', state: 'lost' }).subject
      assert.match(subjectOf('test'), /^Test: /)
      assert.doesNotMatch(subjectOf('live'), /^Test: /)
    }
  })
}
