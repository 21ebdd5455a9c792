import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue } from './catalogue.ts'
import { LOCALES } from './locale.ts'

const ACTION = { project: 'Knjižara', when: '12:00', ip: '127.0.0.1', browser: 'Firefox' }

for (const locale of LOCALES) {
  const { mail } = catalogue(locale)

  test(`${locale}: if another person revealed a secret, the mail names them, and its advice does not mention passwords`, () => {
    const ownAdvice = mail.secret_revealed(ACTION).advice
    const otherMail = mail.secret_revealed({ ...ACTION, by: 'ana@example.me' })
    assert.notEqual(otherMail.advice, ownAdvice)
    assert.doesNotMatch(otherMail.advice ?? '', /password|lozink/)
    assert.ok(otherMail.details?.some((line) => line.includes('ana@example.me')))
  })

  test(`${locale}: the mail about a removal and the mail about a new role differ in the sentence that says why the person receives the mail`, () => {
    const facts = { ...ACTION, role: 'admin' as const }
    const removed = mail.membership_changed({ ...facts, change: 'removed' })
    assert.notEqual(removed.why, mail.membership_changed({ ...facts, change: 'role' }).why)
  })
  test(`${locale}: the mail about changed access names who acted, but not from where`, () => {
    // This project name must not be cut at its "–", which elsewhere stands for an omitted value.
    const facts = { ...ACTION, project: 'Knjižara –', by: 'ana@example.me', role: 'admin' as const }
    for (const change of ['removed', 'role'] as const) {
      const details = mail.membership_changed({ ...facts, change }).details ?? []
      assert.deepEqual(
        details.map((line) => line.split(': ')[1]),
        ['Knjižara –', 'ana@example.me', '12:00'],
      )
    }
  })
}
