import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ERROR_CODES, ERROR_STATUS } from './errors.ts'
import { problem } from './problem.ts'

const BY_STATUS: Record<number, readonly string[]> = {
  400: ['invalid_request', 'invalid_signature'],
  401: ['unauthenticated', 'invalid_credentials', 'invalid_hash'],
  402: ['payment_failed'],
  403: [
    'forbidden_origin',
    'forbidden_role',
    'shop_not_ready',
    'step_up_required',
    'kyc_required',
    'sign_up_closed',
  ],
  404: ['not_found'],
  405: ['method_not_allowed'],
  409: [
    'too_many',
    'custom_id_conflict',
    'already_delivered',
    'email_taken',
    'not_refundable',
    'refund_exceeds',
    'idempotency_conflict',
  ],
  410: ['link_expired', 'token_expired', 'archived', 'cursor_expired'],
  413: ['payload_too_large'],
  415: ['unsupported_media_type'],
  422: ['invalid_url'],
  429: ['locked_out', 'rate_limited'],
  500: ['internal_error'],
  502: ['upstream_error'],
  503: ['unavailable'],
}

test('the listed error codes keep their HTTP statuses', () => {
  const statusByCode = new Map<string, number>(Object.entries(ERROR_STATUS))
  for (const [status, codes] of Object.entries(BY_STATUS))
    for (const code of codes) assert.equal(statusByCode.get(code), Number(status), code)
  assert.deepEqual(ERROR_CODES, Object.keys(ERROR_STATUS))
})

test('the problem schema refuses an unknown code', () => {
  const problemBody = { type: 't', title: 't', status: 404, detail: 'd', code: 'not_found', requestId: 'r' }
  assert.equal(problem.safeParse(problemBody).success, true)
  assert.equal(problem.safeParse({ ...problemBody, code: 'teapot' }).success, false)
})
