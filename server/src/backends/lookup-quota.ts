/** How many lookups all replicas in total may send to an upstream. Requests of payers do not count. */
export interface LookupQuota {
  perSec: number
  burst: number
  /**
   * A lower limit for lookups that are not urgent: of refunds, of lists for an operator, and of payments that wait for a
   * payer, a bank or an operator. There can be thousands of such lookups.
   */
  waitingPerSec: number
  waitingBurst: number
}
