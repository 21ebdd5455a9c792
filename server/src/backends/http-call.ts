// Requests to an http upstream, and its responses before they are read.

/**
 * A signed request. The signature covers verb, id and body but not the path, so the id must name the same payment,
 * refund or list as the path.
 */
export interface SignedCall {
  verb: 'create' | 'find' | 'cancel' | 'info' | 'refund' | 'find_refund' | 'list'
  /** The id is also the idempotency key. */
  id: string
  path: string
  body: string | null
  timeoutMs: number
  /** Longer responses are refused. The default is enough for a single payment. */
  bytesMax?: number
}

export interface UpstreamResponse {
  status: number
  bytes: Buffer
}
