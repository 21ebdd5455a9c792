// Refunds a payment and reads the list of events, with Node's own modules; `@pazar/sdk` does both as well.
// region
// await refund('https://pay.example.me', 'YOUR_PROJECT_ID', transactionId, '500', 'return-12', token)

/**
 * Refunds this amount, in cents. An empty amount refunds the rest. Calls with the same key refund
 * only once. After an error or a timeout, repeat the call with the same key and the same amount.
 */
export async function refund(
  baseUrl: string,
  projectId: string,
  transactionId: string,
  amount: string,
  idempotencyKey: string,
  token: string,
): Promise<{ id: string; state: 'processing' | 'succeeded' | 'failed' | 'returned' }> {
  const what = { projectId, transactionId, idempotencyKey, ...(amount ? { amount } : {}) }
  return (await post(`${baseUrl}/sdk/transaction/refund`, what, token)).refund
}

/**
 * Returns what changed after this cursor; null returns everything. Store `next` in the same transaction
 * as your changes for these events, and send it as after in the next call. Call again while `hasMore` is
 * true.
 */
export async function readEvents(
  baseUrl: string,
  projectId: string,
  after: string | null,
  token: string,
): Promise<{ items: { id: string; type: string; transactionId: string }[]; next: string; hasMore: boolean }> {
  return post(`${baseUrl}/sdk/events/list`, { projectId, ...(after ? { after } : {}) }, token)
}

async function post(url: string, body: object, token: string) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
  const answered = await answer.json()
  // The code says why, for example refund_exceeds.
  if (!answer.ok) throw new Error(`Pazar returned status ${answer.status}: ${answered.code}`)
  return answered
}
// endregion

// node refund.ts baseUrl projectId [transactionId amount key], with PAZAR_TOKEN in the environment. Without a
// transaction it prints the types of all events.
const [baseUrl = '', projectId = '', transactionId, amount = '', key = ''] = process.argv.slice(2)
const token = process.env['PAZAR_TOKEN'] ?? ''
try {
  if (transactionId === undefined) {
    for (let after: string | null = null, hasMore = true; hasMore;) {
      const page = await readEvents(baseUrl, projectId, after, token)
      for (const { type } of page.items) console.log(type)
      after = page.next
      hasMore = page.hasMore
    }
  } else {
    const { id, state } = await refund(baseUrl, projectId, transactionId, amount, key, token)
    console.log(id, state)
  }
} catch (error) {
  console.error(String(error))
  process.exitCode = 2
}
