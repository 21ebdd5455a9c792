// The responses that the reference shows below its commands. The guide's test runs each command and compares the response.
// Why this is long: one list of responses.

// Example values. The guide's test accepts another value of the same kind in their place (server/test/guide/code-blocks.ts).
const TRANSACTION_ID = '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913'
const CALLBACK_ID = 'msg_019a8f0e6b1c7c3e9a512f60d4b8e913'
const TIME = '2026-11-15T09:30:00.000Z'
const PROJECT_ID = 'YOUR_PROJECT_ID'
const REFERENCE = '8E913-2F60D'
/** Stands for a text that depends on the reader's language or question. */
const DIFFERS = '…'
/** Stands for fields or list items that are left out. The tables beside the response name all fields. */
const MORE = { '…': '…' } as const
const MORE_AT_END = { '…2': '…' } as const
const MORE_ITEMS = '…'

const URLS = { testApiUrl: null, requireSignedLinks: false, events: ['payment.result'] }

const RENAMED_PROJECT = {
  id: PROJECT_ID,
  name: 'Knjižara i papirnica',
  resultUrl: 'https://shop.example.com/hvala',
  apiUrl: 'https://shop.example.com/pazar/callback',
  ...URLS,
  timeZone: 'Europe/Podgorica',
  ...MORE,
}

const MONEY = { amount: '1500', currency: 'EUR', scale: 2 }

const PAYMENT = {
  id: TRANSACTION_ID,
  reference: REFERENCE,
  projectId: PROJECT_ID,
  ...MONEY,
  state: 'succeeded',
  successful: true,
  mode: 'test',
  customId: 'order-7',
  data: 'Order 7',
  failureCode: null,
  ...MORE,
  refunded: '0',
  refundable: '1500',
  disputed: '0',
  ...MORE_AT_END,
}

const PAYMENTS = { items: [PAYMENT], page: 1, limit: 10, total: 1, totalExact: true, hasMore: false }

const CALLBACK = { id: CALLBACK_ID, projectId: PROJECT_ID, event: 'payment.result' }

const DELIVERED = { outcome: 'delivered', statusCode: 200 }

function toProjectRoute(method: string, route: string): string {
  return `${method} /portal/api/projects/{id}/${route}`
}

const RESPONSES: Readonly<Record<string, object>> = {
  'POST /sdk/project/add': {
    id: 'tz4a98xxat96iws9zmbrgj3a',
    name: 'Knjižara',
    resultUrl: 'https://shop.example.com/thanks',
    apiUrl: 'https://shop.example.com/pazar/callback',
    ...URLS,
    timeZone: 'Europe/Podgorica',
    ...MORE,
  },
  'POST /sdk/project/update': RENAMED_PROJECT,
  'POST /sdk/project/list': {
    projects: [{ id: PROJECT_ID, name: 'Knjižara i papirnica', ...MORE }, MORE_ITEMS],
    limit: 5,
  },
  'POST /sdk/project/get': RENAMED_PROJECT,
  'POST /sdk/project/seeSecret': { secret: 'sk_live_…' },
  'POST /sdk/project/rotateSecret': { secret: 'sk_live_…' },
  'POST /sdk/transactions/list': PAYMENTS,
  // On the page this route comes after the refund, so its response contains the refunded amount.
  'POST /transactions/list': {
    ...PAYMENTS,
    items: [{ ...PAYMENT, refunded: '500', refundable: '1000' }],
  },
  'POST /sdk/transaction/get': { transaction: PAYMENT, refunds: [], disputes: [] },
  'POST /sdk/transaction/checkStatus': { successful: true },
  'POST /sdk/transaction/refund': {
    refund: {
      id: 're_019a8f0f2d4a7b1c8e3f5a6b7c8d9e0f',
      transactionId: TRANSACTION_ID,
      projectId: PROJECT_ID,
      mode: 'test',
      ...MONEY,
      amount: '500',
      state: 'succeeded',
      pendingReason: null,
      reason: null,
      failureCode: null,
      origin: 'api',
      createdAt: TIME,
      completedAt: TIME,
      returnedAt: null,
    },
  },
  'POST /sdk/events/list': {
    items: [
      {
        id: 'evt_019a8f0e6b1d7d0f8c3b5e7a91c2d4f6',
        at: TIME,
        transactionId: TRANSACTION_ID,
        type: 'payment.created',
        payload: { ...MONEY, mode: 'test', customId: 'order-7', ...MORE },
      },
      MORE_ITEMS,
    ],
    next: 'MSAzZjJhMWMgdHo0YTk4eHhhdDk2aXdzOXptYnJnajNhIDE',
    hasMore: false,
  },
  'GET /pay': {
    status: 'ready',
    merchant: 'Knjižara i papirnica',
    amount: '1500',
    currency: 'EUR',
    mode: 'test',
    token: 'djEuMDE5YThmMGUuMTc5NTAwMDAwMA',
  },
  'POST /pay': {
    status: 'succeeded',
    transactionId: TRANSACTION_ID,
    redirectUrl: 'https://shop.example.com/hvala?status=success…',
  },
  'GET /pay/successful': { status: 'pending' },
  'GET /pay/{transactionId}': {
    status: 'succeeded',
    transactionId: TRANSACTION_ID,
    reference: REFERENCE,
    successful: true,
    needsReview: false,
    resolution: null,
    refunded: '500',
    redirectUrl: 'https://shop.example.com/hvala?status=success…',
  },
  [toProjectRoute('POST', 'pay-link')]: {
    url: 'https://pay.example.me/pay?amount=1500&project=YOUR_PROJECT_ID&…',
  },
  [toProjectRoute('POST', 'status-check')]: {
    found: true,
    transactionId: TRANSACTION_ID,
    state: 'succeeded',
    successful: true,
    needsReview: false,
  },
  [toProjectRoute('GET', 'stats')]: {
    bucket: 'day',
    volume: '1500',
    refunds: 0,
    refunded: '0',
    disputes: 0,
    disputed: '0',
    net: '1500',
    count: 1,
    succeeded: 1,
    failed: 0,
    inReview: 0,
    successRate: 1,
    callbackMs: MORE,
    series: [MORE_ITEMS],
  },
  [toProjectRoute('GET', 'statement')]: {
    month: '2026-11',
    timeZone: 'Europe/Podgorica',
    currency: 'EUR',
    scale: 2,
    currencies: ['EUR'],
    days: [{ date: '2026-11-01', payments: 0, gross: '0', ...MORE }, MORE_ITEMS],
    ...MORE,
  },
  [toProjectRoute('GET', 'deliveries')]: {
    items: [
      {
        ...CALLBACK,
        transactionId: TRANSACTION_ID,
        ...MORE,
        lastAttempt: { ...MORE, ...DELIVERED, ...MORE_AT_END },
      },
    ],
    nextCursor: null,
  },
  [toProjectRoute('GET', 'deliveries/{callbackId}')]: {
    callback: { ...CALLBACK, ...MORE },
    body: { event: 'payment.result', status: 'success', ...MORE },
    attempts: [
      { callbackId: CALLBACK_ID, attempt: 1, trigger: 'auto', ...MORE, ...DELIVERED, ...MORE_AT_END },
    ],
    payerReturn: null,
  },
  [toProjectRoute('POST', 'deliveries/{callbackId}/resend')]: { callback: { ...CALLBACK, ...MORE } },
  [toProjectRoute('POST', 'deliveries/resend-failed')]: { count: 0 },
  [toProjectRoute('GET', 'inbox')]: { items: [] },
  [toProjectRoute('POST', 'test-callbacks')]: {
    callback: { ...CALLBACK, transactionId: null, ...MORE },
    attempt: { callbackId: CALLBACK_ID, attempt: 1, trigger: 'test', ...MORE, ...DELIVERED, ...MORE_AT_END },
  },
  [toProjectRoute('POST', 'events/report')]: { recorded: true },
  [toProjectRoute('POST', 'exam')]: {
    requests: [{ name: 'good', title: DIFFERS, expects: 'accepted', ...MORE }, MORE_ITEMS],
  },
  [toProjectRoute('POST', 'verify-signature')]: {
    event: null,
    eventText: null,
    matches: false,
    problems: [{ code: 'missing_header', text: DIFFERS, fix: DIFFERS }, MORE_ITEMS],
  },
  'POST /sdk/ai/prompt': {
    answer: DIFFERS,
    sources: [{ title: DIFFERS, url: DIFFERS }, MORE_ITEMS],
    model: null,
  },
}

/** Null: the response is a file or a stream, or has no example. */
export function findResponse(method: string, url: string): string | null {
  const response = RESPONSES[`${method.toUpperCase()} ${url}`]
  if (!response) return null
  return JSON.stringify(response, null, 2)
    .replaceAll(/"…2?": "…"/g, '…')
    .replaceAll(/^( *)"…"/gm, '$1…')
}
