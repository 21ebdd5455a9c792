/**
 * How many lookups all replicas together may send to an upstream. Requests of payers do not count. A lookup is one
 * request, or two if it ends in a cancel.
 */
export interface LookupQuota {
  perSec: number
  burst: number
  /**
   * The share of these lookups for payments that wait for a payer, a bank or an operator: there can be thousands of them.
   */
  waitingPerSec: number
  waitingBurst: number
}
