/**
 * The signature covers verb, id and body, but not the path. So the id or the body must also name the payment, refund or
 * list that is requested.
 */
export interface SignedCall {
  verb: 'create' | 'find' | 'cancel' | 'info' | 'refund' | 'find_refund' | 'list'
  /** The id is also the idempotency key. */
  id: string
  path: string
  body: string | null
  timeoutMs: number
  bytesMax?: number
}

export interface UpstreamResponse {
  status: number
  bytes: Buffer
}
