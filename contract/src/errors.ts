// The closed list of error codes, each with its HTTP status. No other code can be sent.
export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_signature: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  invalid_hash: 401,
  payment_failed: 402,
  forbidden_origin: 403,
  forbidden_role: 403,
  step_up_required: 403,
  kyc_required: 403,
  sign_up_closed: 403,
  not_found: 404,
  method_not_allowed: 405,
  too_many: 409,
  custom_id_conflict: 409,
  already_delivered: 409,
  email_taken: 409,
  not_refundable: 409,
  refund_exceeds: 409,
  idempotency_conflict: 409,
  link_expired: 410,
  token_expired: 410,
  archived: 410,
  cursor_expired: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  invalid_url: 422,
  locked_out: 429,
  rate_limited: 429,
  internal_error: 500,
  upstream_error: 502,
  unavailable: 503,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof ERROR_STATUS

export const ERROR_CODES = Object.keys(ERROR_STATUS) as ErrorCode[]
