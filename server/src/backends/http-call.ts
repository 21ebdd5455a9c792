/**
 * The signature covers verb, id and body but not the path, so the id must name the same payment, refund or list as the
 * path.
 */
export interface SignedCall {
  verb: 'create' | 'find' | 'cancel' | 'info' | 'refund' | 'find_refund' | 'list'
  /** Also the idempotency key. */
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
