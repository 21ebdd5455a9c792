// Compares what payers, the upstream and the merchant saw in one scenario with the stored payments.
export interface StoredPayment {
  id: string
  customId: string
  state: string
  /** The number of callbacks whose status is not `delivered`. */
  undelivered: number
}

export interface Arrival {
  webhookId: string
  paymentId: string
  status: string
}

export interface Facts {
  /** Ids of payments whose payer saw success. */
  acknowledged: ReadonlySet<string>
  stored: readonly StoredPayment[]
  /** For each charge at the upstream: the id of its payment. */
  charges: readonly string[]
  arrivals: readonly Arrival[]
}

export interface Verdict {
  payments: number
  /** Each list has one line per fault. */
  lost: string[]
  chargedTwice: string[]
  stuck: string[]
  wrongResults: string[]
  /** How many arrivals repeated an earlier arrival of the same callback. Such arrivals are allowed. */
  repeats: number
}

const RESULTS: Readonly<Record<string, string>> = { succeeded: 'success', failed: 'fail', expired: 'fail' }

function countEach(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

function findLost({ acknowledged, stored, charges, arrivals }: Facts): string[] {
  const states = new Map(stored.map(({ id, state }) => [id, state]))
  const [charged, notified] = [new Set(charges), new Set(arrivals.map(({ paymentId }) => paymentId))]
  const findState = (id: string) => states.get(id) ?? 'not stored'
  return [
    ...[...acknowledged]
      .filter((id) => findState(id) !== 'succeeded')
      .map((id) => `${id}: the payer saw success, but the payment is ${findState(id)}`),
    ...[...charged]
      // An open payment is stuck, not lost.
      .filter((id) => ['failed', 'expired', 'not stored'].includes(findState(id)))
      .map((id) => `${id}: charged, but the payment is ${findState(id)}`),
    ...stored.flatMap(({ id, state, undelivered }) => [
      ...(state === 'succeeded' && !charged.has(id) ? [`${id}: succeeded without a charge`] : []),
      ...(state in RESULTS && undelivered === 0 && !notified.has(id)
        ? [`${id}: ${state}, but the merchant got no callback`]
        : []),
    ]),
  ]
}

function findChargedTwice({ stored, charges }: Facts): string[] {
  const charged = countEach(charges)
  const paidOrders = countEach(stored.filter(({ id }) => charged.has(id)).map(({ customId }) => customId))
  return [
    ...[...charged].filter(([, times]) => times > 1).map(([id, times]) => `${id}: charged ${times} times`),
    ...[...paidOrders]
      .filter(([, times]) => times > 1)
      .map(([order, times]) => `${order}: paid ${times} times`),
  ]
}

function findWrongResults({ stored, arrivals }: Facts): string[] {
  const states = new Map(stored.map(({ id, state }) => [id, state]))
  const ids = Map.groupBy(arrivals, ({ paymentId }) => paymentId)
  return [...ids].flatMap(([paymentId, list]) => {
    const state = states.get(paymentId) ?? 'not stored'
    const wrong = list.find(({ status }) => status !== RESULTS[state])
    const callbacks = new Set(list.map(({ webhookId }) => webhookId)).size
    return [
      ...(wrong ? [`${paymentId}: ${state}, but the merchant got ${wrong.status}`] : []),
      ...(callbacks > 1 ? [`${paymentId}: ${callbacks} callbacks with different ids`] : []),
    ]
  })
}

export function checkBooks(facts: Facts): Verdict {
  const arrivals = countEach(facts.arrivals.map(({ webhookId }) => webhookId))
  return {
    payments: facts.stored.length,
    lost: findLost(facts),
    chargedTwice: findChargedTwice(facts),
    stuck: facts.stored.flatMap(({ id, state, undelivered }) => [
      ...(state in RESULTS ? [] : [`${id}: still ${state}`]),
      ...(undelivered > 0 ? [`${id}: callbacks not delivered: ${undelivered}`] : []),
    ]),
    wrongResults: findWrongResults(facts),
    repeats: [...arrivals.values()].reduce((sum, times) => sum + times - 1, 0),
  }
}
