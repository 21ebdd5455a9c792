// Every outcome has a page and JSON, with the statuses listed here.
// Why this is long: one list of outcomes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAGE_CONTEXT, toCheckedLink, toShownPayment } from '../../test/pay-outcomes.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { OutcomeKind, PayOutcome } from './pay-outcome.ts'
import { RENDERERS } from './respond.ts'

const checkedLink = toCheckedLink()
const attempt = { id: '00000000-0000-4000-8000-000000000002', checkoutId: checkedLink.link.projectId }
const offer = { checkedLink, attempt, last: null }
const failed = toShownPayment({ state: 'failed', failureCode: 'insufficient_funds' })
const bankUrl = 'https://bank.example.com/step'
const atBank = toShownPayment({ state: 'requires_action', actionUrl: bankUrl })
const paymentId = atBank.id // toShownPayment gives this id to every payment.
const startOver = { attempt, replaces: paymentId }
const { resultUrl } = checkedLink.target
const state = {
  merchant: checkedLink.target,
  link: checkedLink.link,
  other: null,
  isReturn: false,
  moneyBack: null,
}

const reviewed = {
  standing: 'in_review',
  id: '01890000-0000-7000-8000-000000000009',
  attemptId: attempt.id,
} as const

const confirmation = {
  transactionId: null,
  state: null,
  isCancelled: false,
  abandoned: null,
  mode: 'live',
} as const

interface Expected {
  page: number
  location?: string
  json: number
  /** The `status` in the JSON. If the JSON is a problem document: its `code`. */
  jsonStatus: string
}

const mailed = { state: { ...state, payment: toShownPayment({ state: 'succeeded' }) } }

/** One entry per kind. If a kind is missing here, this file does not compile. */
const CASES: { [K in OutcomeKind]: readonly [Omit<PayOutcome<K>, 'kind'>, Expected][] } = {
  ready: [
    [offer, { page: 200, json: 200, jsonStatus: 'ready' }],
    [
      { ...offer, last: failed },
      { page: 200, json: 200, jsonStatus: 'ready' },
    ],
  ],
  form_refused: [
    [
      { ...offer, reason: 'formInvalid' },
      { page: 400, json: 400, jsonStatus: 'invalid_request' },
    ],
    [
      { ...offer, reason: 'pageTooOld' },
      { page: 410, json: 410, jsonStatus: 'token_expired' },
    ],
    [
      { ...offer, reason: 'currencyChanged' },
      { page: 410, json: 410, jsonStatus: 'token_expired' },
    ],
    [
      { ...offer, reason: 'openElsewhere' },
      { page: 410, json: 410, jsonStatus: 'token_expired' },
    ],
  ],
  declined: [
    [
      { checkedLink, attempt, payment: failed },
      { page: 402, json: 402, jsonStatus: 'payment_failed' },
    ],
  ],
  paid: [
    [
      { payment: toShownPayment({ state: 'succeeded' }), resultUrl },
      {
        page: 303,
        location: `${resultUrl}?status=success&transactionId=${paymentId}`,
        json: 200,
        jsonStatus: 'succeeded',
      },
    ],
  ],
  at_bank: [
    [
      { payment: atBank, resultUrl },
      { page: 303, location: bankUrl, json: 200, jsonStatus: 'requires_action' },
    ],
  ],
  processing: [
    [
      { payment: toShownPayment(), resultUrl },
      {
        page: 303,
        location: `https://pay.example.com/pay/${paymentId}?return=1`,
        json: 200,
        jsonStatus: 'processing',
      },
    ],
  ],
  in_review: [
    [
      { payment: { ...failed, needsReview: true } },
      {
        page: 303,
        location: `https://pay.example.com/pay/${paymentId}`,
        json: 402,
        jsonStatus: 'payment_failed',
      },
    ],
    [
      { payment: { ...atBank, needsReview: true } },
      {
        page: 303,
        location: `https://pay.example.com/pay/${paymentId}`,
        json: 200,
        jsonStatus: 'processing',
      },
    ],
  ],
  receipt_requested: [
    [
      { ...mailed, requested: { result: 'sent', email: 'ana@example.me' }, error: null },
      { page: 202, json: 200, jsonStatus: 'accepted' },
    ],
    [
      {
        ...mailed,
        requested: { result: 'limited', email: 'ana@example.me' },
        error: new ServiceError('rate_limited'),
      },
      { page: 429, json: 429, jsonStatus: 'rate_limited' },
    ],
  ],
  payment_state: [
    [
      { ...state, payment: atBank },
      { page: 200, json: 200, jsonStatus: 'requires_action' },
    ],
    [
      { ...state, payment: atBank, other: { standing: 'open', id: failed.id, attemptId: failed.attemptId } },
      { page: 200, json: 200, jsonStatus: 'requires_action' },
    ],
    [
      { ...state, payment: atBank, other: reviewed },
      { page: 200, json: 200, jsonStatus: 'processing' },
    ],
    [
      { ...state, payment: atBank, other: { ...reviewed, standing: 'paid' } },
      { page: 200, json: 200, jsonStatus: 'processing' },
    ],
    [
      { ...state, payment: failed },
      { page: 200, json: 200, jsonStatus: 'failed' },
    ],
  ],
  already_paid: [[{ checkedLink }, { page: 200, json: 200, jsonStatus: 'succeeded' }]],
  in_flight: [
    [
      { checkedLink, startOver: null },
      { page: 200, json: 200, jsonStatus: 'processing' },
    ],
    [
      { checkedLink, startOver },
      { page: 200, json: 200, jsonStatus: 'processing' },
    ],
  ],
  order_in_review: [
    [
      { checkedLink, reviewedId: failed.id },
      { page: 200, json: 200, jsonStatus: 'processing' },
    ],
  ],
  bank_step_kept: [
    [
      { checkedLink, startOver, payment: atBank, isOwn: true },
      { page: 200, json: 200, jsonStatus: 'requires_action' },
    ],
    [
      { checkedLink, startOver, payment: atBank, isOwn: false },
      { page: 200, json: 200, jsonStatus: 'processing' },
    ],
  ],
  conflict: [
    [
      { checkedLink, startOver: null },
      { page: 409, json: 409, jsonStatus: 'custom_id_conflict' },
    ],
    [
      { checkedLink, startOver },
      { page: 409, json: 409, jsonStatus: 'custom_id_conflict' },
    ],
  ],
  confirmation: [
    [
      { ...confirmation, isCancelled: true },
      { page: 200, json: 200, jsonStatus: 'cancel' },
    ],
    [
      {
        ...confirmation,
        isCancelled: true,
        abandoned: { kind: 'abandoned', checkedLink, certainty: 'unknown' },
      },
      { page: 200, json: 200, jsonStatus: 'cancel' },
    ],
    [
      { ...confirmation, isCancelled: true, abandoned: { kind: 'already_paid', checkedLink } },
      { page: 200, json: 200, jsonStatus: 'success' },
    ],
    [
      { ...confirmation, isCancelled: true, abandoned: { kind: 'in_flight', checkedLink, startOver: null } },
      { page: 200, json: 200, jsonStatus: 'pending' },
    ],
    [confirmation, { page: 200, json: 200, jsonStatus: 'pending' }],
    [
      { ...confirmation, transactionId: failed.id, state: 'unavailable' },
      { page: 200, json: 200, jsonStatus: 'pending' },
    ],
    [
      { ...confirmation, transactionId: failed.id, state: { ...state, payment: failed } },
      { page: 200, json: 200, jsonStatus: 'fail' },
    ],
  ],
  refused: [
    [
      {
        error: new ServiceError('link_expired'),
        at: 'link',
        hasPressed: false,
        address: null,
        requestId: 'req-1',
      },
      { page: 410, json: 410, jsonStatus: 'link_expired' },
    ],
  ],
}

function check<K extends OutcomeKind>(kind: K, [facts, expected]: (typeof CASES)[K][number]): void {
  const outcome = { kind, ...facts } as PayOutcome<K>
  const renderer = RENDERERS[kind]
  const page = renderer.page(PAGE_CONTEXT, outcome)
  const json = renderer.json(PAGE_CONTEXT, outcome)
  const jsonStatus = json instanceof ServiceError ? json.code : (json as { status: string }).status
  assert.deepEqual(
    {
      page: page.status,
      location: page.location,
      json: json instanceof ServiceError ? json.status : 200,
      jsonStatus,
    },
    { location: undefined, ...expected },
  )
  assert.notEqual(page.page.body.text, '')
}

for (const kind of Object.keys(CASES) as OutcomeKind[]) {
  test(`${kind} has a page and JSON with the listed statuses`, () => {
    for (const one of CASES[kind]) check(kind, one)
  })
}

test('RENDERERS has exactly the kinds of outcomes that are listed here', () => {
  assert.deepEqual(Object.keys(RENDERERS).toSorted(), Object.keys(CASES).toSorted())
})

test('a page that responds to a form has a URL at which it can be opened again; a redirect has none', () => {
  const page = RENDERERS.already_paid.page(PAGE_CONTEXT, { kind: 'already_paid', checkedLink })
  assert.equal(page.reopenPath, '/pay?amount=1500&project=prj_1&data=')
  const moved = RENDERERS.at_bank.page(PAGE_CONTEXT, { kind: 'at_bank', payment: atBank, resultUrl })
  assert.equal(moved.reopenPath, null)
})

test('only the browser whose payment is at the bank gets a link to the bank’s page', () => {
  for (const isOwn of [true, false]) {
    const outcome = { kind: 'bank_step_kept', checkedLink, startOver, payment: atBank, isOwn } as const
    const { page } = RENDERERS.bank_step_kept.page(PAGE_CONTEXT, outcome)
    assert.equal(page.body.text.includes(bankUrl), isOwn)
  }
})
