/** How many lookups all replicas in total may send to an upstream. Requests of payers do not count. */
export interface LookupQuota {
  perSec: number
  burst: number
  /**
   * The limit for lookups that are not urgent, because there can be thousands of them. These are lookups of refunds, of
   * lists for an operator, and of payments that wait for a payer, a bank or an operator.
   */
  waitingPerSec: number
  waitingBurst: number
}
