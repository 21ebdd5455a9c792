import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorCode, Problem } from '@pazar/contract'
import { PAGE_CONTEXT } from '../../test/pay-outcomes.ts'
import { ServiceError } from '../lib/service-error.ts'
import { OutcomeUnknownError } from './pay-outcome.ts'
import { chooseNotice, IN_REVIEW, refusalPage, RESOLVED_UNPAID, withPayerWords } from './refusal-page.ts'

const { words } = PAGE_CONTEXT
type NoticeName = keyof typeof words.notices

const EXPECTED_NOTICES: readonly [code: ErrorCode, link: NoticeName, press: NoticeName, state: NoticeName][] =
  [
    ['link_expired', 'linkExpired', 'linkExpired', 'stateUnavailable'],
    ['archived', 'archived', 'archived', 'stateUnavailable'],
    ['kyc_required', 'cannotTakePayments', 'cannotTakePayments', 'stateUnavailable'],
    ['shop_not_ready', 'notReady', 'notReady', 'stateUnavailable'],
    ['custom_id_conflict', 'conflict', 'conflict', 'stateUnavailable'],
    ['rate_limited', 'tooMany', 'pressRefused', 'stateUnavailable'],
    ['unavailable', 'busy', 'pressRefused', 'stateUnavailable'],
    ['not_found', 'invalidLink', 'invalidLink', 'paymentUnknown'],
    ['invalid_signature', 'invalidLink', 'invalidLink', 'stateUnavailable'],
    ['invalid_request', 'invalidLink', 'formLost', 'paymentUnknown'],
    ['forbidden_origin', 'invalidLink', 'formFromElsewhere', 'stateUnavailable'],
    ['payload_too_large', 'invalidLink', 'formLost', 'stateUnavailable'],
    ['unsupported_media_type', 'invalidLink', 'formLost', 'stateUnavailable'],
  ]

for (const [code, ...names] of EXPECTED_NOTICES)
  test(`the error "${code}" has the listed text on a link's page, after a press and on a payment's page`, () => {
    for (const [index, at] of (['link', 'press', 'state'] as const).entries()) {
      const chosen = chooseNotice(words, { error: new ServiceError(code), at, hasPressed: false })
      assert.deepEqual(chosen, words.notices[names[index]!], at)
    }
  })

test('the text for a temporarily refused link is different after Pay was pressed', () => {
  const choose = (code: ErrorCode) =>
    chooseNotice(words, { error: new ServiceError(code), at: 'link', hasPressed: true })
  for (const code of ['rate_limited', 'unavailable', 'internal_error'] as const)
    assert.deepEqual(choose(code), words.notices.stateUnavailable, code)
  assert.deepEqual(choose('link_expired'), words.notices.linkExpired)
})

test('an error for a JSON client says what is known about a charge, and gives the reason as a sentence', () => {
  const { money, heading } = words.outcomeUnknown
  const problemOf = (code: string): Problem => ({
    type: 'about:blank',
    title: 'Declined',
    status: 402,
    code: 'payment_failed',
    detail: 'This attempt was not charged.',
    requestId: 'req-7',
    errors: [{ path: '', code, message: '' }],
  })
  const failed = new ServiceError('payment_failed')
  const toPayerProblem = (code: string, error = failed, at: 'press' | 'link' = 'press') =>
    withPayerWords(problemOf(code), { error, at }, words)
  const internal = new ServiceError('internal_error')
  const unknown = new OutcomeUnknownError(new ServiceError('unavailable'))
  for (const error of [unknown, internal]) assert.equal(toPayerProblem('declined', error).detail, money)
  assert.deepEqual(toPayerProblem('declined', internal, 'link'), problemOf('declined'))
  assert.deepEqual(toPayerProblem('declined', new ServiceError('not_found')), problemOf('declined'))
  const reviewed = toPayerProblem(IN_REVIEW)
  assert.deepEqual([reviewed.title, reviewed.detail, reviewed.errors![0]!.message], [heading, money, money])
  const { money: chargedAnyway, next } = words.resolvedUnpaid
  assert.equal(toPayerProblem(RESOLVED_UNPAID).detail, `${chargedAnyway} ${next}`)
  const declined = toPayerProblem('insufficient_funds')
  assert.equal(declined.detail, 'This attempt was not charged.')
  assert.notEqual(declined.errors![0]!.message, '')
})

test('if the outcome of a press is unknown, the page leads to the pay link', () => {
  const refusal = {
    error: new ServiceError('internal_error'),
    at: 'press',
    hasPressed: false,
    address: '/pay?project=1',
    requestId: '0123456789abcdef',
  } as const
  const { text } = refusalPage(PAGE_CONTEXT, refusal).body
  assert.match(text, /open the pay link again in this browser/)
  assert.match(text, /href="\/pay\?project=1"/)
  assert.doesNotMatch(text, /payment reference/i)
})

test('a payer sees a reference for support, but no error code', () => {
  const error = new ServiceError('invalid_signature')
  const refusal = {
    error,
    at: 'link',
    hasPressed: false,
    address: null,
    requestId: '0123456789abcdef',
  } as const
  const { text } = refusalPage(PAGE_CONTEXT, refusal).body
  assert.match(text, /Request reference, if you ask for help: <code>0123456789abcdef<\/code>/)
  assert.doesNotMatch(text, /invalid_signature/)
})
