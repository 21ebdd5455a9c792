/** How many lookups all replicas in total may send to an upstream. Requests of payers do not count. */
export interface LookupQuota {
  perSec: number
  burst: number
  /**
   * The part of this limit for payments that wait for a payer, a bank or an operator. There can be thousands of such
   * payments.
   */
  waitingPerSec: number
  waitingBurst: number
}
