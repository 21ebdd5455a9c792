/** How many lookups all replicas in total may send to an upstream. Requests of payers do not count. */
export interface LookupQuota {
  perSec: number
  burst: number
  /**
   * The limit for lookups that can wait: payments that wait for a payer, a bank or an operator, refunds, and lists for an
   * operator. There can be thousands of such lookups.
   */
  waitingPerSec: number
  waitingBurst: number
}
