// Data that is hard to display: long names and URLs, words that cannot wrap, the largest amounts, rare states.
export const LONG_NAME = 'Knjižara i papirnica „Šćepan Zanović“ sa dostavom u Podgorici, Nikšiću i Budvi'
export const LONG_URL = `https://shop.example.com/${'veoma-dugačka-putanja/'.repeat(80)}kraj`.slice(0, 1200)

export const HARD_REPORT = {
  target: { url: LONG_URL, live: true },
  passed: 1,
  failed: 1,
  scenarios: [
    {
      name: 'good',
      title: 'Right callback',
      passed: true,
      expected: 'x',
      got: 'HTTP 200 in 42 ms',
      fix: null,
    },
    {
      name: 'live_label',
      title: 'Test označen kao stvarno plaćanje',
      passed: false,
      expected: 'Tijelo u kojem piše mode live, a potpisano je testnim ključem, odbija se odgovorom 4xx.',
      got: `HTTP 200 in 42 ms, ${'W'.repeat(200)}`,
      fix: 'Uporedite mode iz tijela sa ključem kojim ste provjerili potpis.',
      answer: `<html>${'x'.repeat(290)}`,
    },
  ].map((one) => ({ answer: null, ...one })),
}

export const HARD_REQUEST = `POST /callback HTTP/1.1
Webhook-Id: msg_${'0'.repeat(200)}
Webhook-Timestamp: 1790000000000
Webhook-Signature: v1,${'A'.repeat(43)}=

{"event":"payment.result","data":"${'W'.repeat(300)}"}`

const HARD_BODY = {
  event: 'payment.result',
  status: 'success',
  amount: '999999999999',
  currency: 'EUR',
  customId: 'W'.repeat(128),
  data: 'W'.repeat(300),
  mode: 'test',
  hash: 'A'.repeat(400),
}
const HARD_HEADERS = {
  'webhook-id': `msg_${'0'.repeat(32)}`,
  'webhook-timestamp': '1790000000',
  'webhook-signature': `v1,${'A'.repeat(43)}=`,
  'content-type': 'application/json',
}

export const HARD_INBOX = {
  items: [
    {
      receivedAt: '2026-11-16T10:00:00.000Z',
      headers: HARD_HEADERS,
      body: JSON.stringify(HARD_BODY),
      verified: true,
    },
    {
      receivedAt: '2026-11-15T10:00:00.000Z',
      headers: HARD_HEADERS,
      body: JSON.stringify({ ...HARD_BODY, event: 'dispute.opened', mode: 'live' }),
      verified: false,
    },
  ],
}

/** Deliveries about refunds: one forwarded to the CLI, one that is retried, and one that was cancelled after a failure. */
export function toOddDeliveries(projectId: string) {
  const createdAt = new Date().toISOString()
  const nextAt = new Date(Date.now() + 240_000).toISOString()
  const attempt = { attempt: 1, trigger: 'test', startedAt: createdAt, error: null, responseExcerpt: null }
  const callback = {
    projectId,
    event: 'refund.result',
    transactionId: '01990000-0000-7000-8000-000000000000',
    refundId: `re_${'0'.repeat(32)}`,
    disputeId: null,
    mode: 'test',
    result: 'success',
    amount: '999999999999',
  }
  const rest = { currency: 'EUR', customId: 'W'.repeat(128), data: null, createdAt, deliveredAt: null }
  const explained = { cause: 'Predato je programu koji sluša.', fix: 'Pošaljite ga još jednom.' }
  const forwarded = { ...attempt, ...explained, url: 'listeners', outcome: 'delivered', statusCode: null }
  const refused = { ...attempt, ...explained, url: LONG_URL, outcome: 'http_error', statusCode: 500 }
  const items = [
    {
      status: 'delivered',
      attempts: 1,
      nextAt: null,
      lastAttempt: { ...forwarded, durationMs: 0, nextAt: null },
    },
    { status: 'pending', attempts: 2, nextAt, lastAttempt: { ...refused, durationMs: 14_999, nextAt } },
    {
      status: 'cancelled',
      attempts: 1,
      nextAt: null,
      lastAttempt: { ...refused, durationMs: 14_999, nextAt: null },
    },
  ].map((one, index) => ({ ...callback, ...rest, ...one, id: `msg_${String(index).repeat(32)}` }))
  return { items, nextCursor: null }
}

/** Payments in review, and payments whose state differs from the resolution by an operator. */
export function toReviewedPayments(projectId: string) {
  const at = new Date().toISOString()
  const common = {
    projectId,
    amount: '999999999999',
    currency: 'EUR',
    mode: 'live',
    data: LONG_NAME,
    createdAt: at,
  }
  const undecided = {
    resolution: null,
    resolvedAt: null,
    resolutionReason: null,
    callback: null,
    completedAt: at,
  }
  const decided = { needsReview: false, resolvedAt: at, resolutionReason: `${LONG_NAME} `.repeat(6).trim() }
  const items = [
    { state: 'failed', successful: false, needsReview: true, failureCode: 'declined' },
    { state: 'requires_action', successful: false, needsReview: true, failureCode: null, completedAt: null },
    { state: 'succeeded', successful: true, needsReview: true, failureCode: null },
    { state: 'failed', successful: true, resolution: 'paid', failureCode: 'resolved_paid', ...decided },
    { state: 'succeeded', successful: false, resolution: 'unpaid', failureCode: null, ...decided },
  ].map((one, index) => {
    const id = `01990000-0000-7000-8000-00000000000${index}`
    return { ...common, ...undecided, ...one, id, reference: `00000-0000${index}`, customId: 'W'.repeat(40) }
  })
  return { items, page: 1, limit: 20, total: items.length, totalExact: true, hasMore: false }
}

/** Returns the statement of a month. It has the largest sums, a day with only refunds, and a dispute that was won. */
export function toHardStatement() {
  const largest = '999999999999'
  const emptyDay = { payments: 0, gross: '0', refunds: '0', returned: '0', disputes: '0', net: '0' }
  const days = [
    { ...emptyDay, date: '2026-10-01', payments: 1234, gross: largest, net: largest },
    { ...emptyDay, date: '2026-10-02' },
    { ...emptyDay, date: '2026-10-30', refunds: largest, net: `-${largest}` },
    { ...emptyDay, date: '2026-10-31', returned: largest, disputes: '-1500', net: '1000000001499' },
  ]
  const totals = {
    payments: 1234,
    gross: largest,
    refunds: largest,
    returned: largest,
    disputes: '-1500',
    net: '1000000001499',
  }
  return {
    month: '2026-10',
    timeZone: 'America/Argentina/ComodRivadavia',
    currency: 'EUR',
    scale: 2,
    currencies: ['EUR'],
    days,
    totals,
  }
}
