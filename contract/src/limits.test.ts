// Merchants rely on these numbers. They are written here a second time, so that none of them changes by accident.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as limits from './limits.ts'

const MINUTE_SEC = 60
const HOUR_SEC = 3_600

function assertValues(values: object, expected: Record<string, unknown>): void {
  const valueByName = new Map<string, unknown>(Object.entries(values))
  for (const [name, value] of Object.entries(expected)) assert.equal(valueByName.get(name), value, name)
}

test('no listed limit or time has changed', () => {
  assertValues(limits, {
    INVITATION_MAX_DAYS: 7,
    MEMBERS_PER_PROJECT_MAX: 50,
    SHARED_PROJECTS_MAX: 50,
    JSON_BODY_BYTES_MAX: 65_536,
    AMOUNT_DIGITS_MAX: 12,
    AMOUNT_MAX: 999_999_999_999,
    AMOUNT_SCALE_MAX: 4,
    DATA_MAX_BYTES: 2_048,
    CUSTOM_ID_MAX: 128,
    PASSWORD_MIN: 12,
    PASSWORD_MAX: 128,
    EMAIL_MAX: 254,
    SESSION_IDLE_MAX_HOURS: 12,
    SESSION_MAX_DAYS: 7,
    STEP_UP_MAX_SEC: 300,
    LOCKOUT_ATTEMPTS_MAX: 5,
    LOCKOUT_WINDOW_MIN: 15,
    CODES_WRONG_PER_DAY_MAX: 20,
    PENDING_SIGN_IN_MAX_SEC: 300,
    RECOVERY_CODES_COUNT: 10,
    RECOVERY_WAIT_HOURS: 24,
    FACTOR_RESET_WAIT_HOURS: 24,
    PASSKEY_CHALLENGE_MAX_SEC: 300,
    PASSKEY_NAME_MAX: 60,
    PASSKEYS_PER_ACCOUNT_MAX: 20,
    DEVICE_COOKIE_MAX_AGE_SEC: 365 * 24 * HOUR_SEC,
    RESET_LINK_MAX_HOURS: 1,
    CONFIRM_LINK_MAX_HOURS: 24,
    TOKEN_NAME_MAX: 80,
    TOKEN_DAYS_MAX: 365,
    TOKENS_PER_ACCOUNT_MAX: 50,
    PROJECTS_PER_ACCOUNT_MAX: 5,
    PROJECT_NAME_MAX: 80,
    URL_LENGTH_MAX: 2_048,
    QR_SIZE_MIN: 128,
    QR_SIZE_MAX: 2_048,
    QR_SIZE_DEFAULT: 1_024,
    LINK_EXP_MAX: 999_999_999_999,
    ATTEMPT_TOKEN_MAX_AGE_MIN: 60,
    ATTEMPT_COOKIE_MAX_AGE_MIN: 60,
    ATTEMPT_TOKEN_MAX: 20_000,
    REDIRECT_WAIT_MAX_MS: 3_000,
    ACTION_TIMEOUT_DEFAULT_MIN: 30,
    REFUND_REASON_MAX: 200,
    IDEMPOTENCY_KEY_MAX: 64,
    BOOKS_CHECK_ITEMS_MAX: 50_000,
    BOOKS_CHECK_DAYS_MAX: 100,
    CALLBACK_TIMEOUT_MS: 15_000,
    STREAM_PING_EVERY_MS: 15_000,
    STREAM_REPLAY_MIN: 5,
    STREAMS_PER_ACCOUNT_MAX: 5,
    ATTEMPT_RETENTION_DEFAULT_DAYS: 90,
    LIST_PAGE_MAX: 10_000,
    LIST_LIMIT_MAX: 100,
    LIST_LIMIT_DEFAULT: 20,
    CURSOR_LIST_LIMIT_DEFAULT: 50,
    EVENTS_LIMIT_DEFAULT: 100,
    EVENTS_LIMIT_MAX: 500,
    EVENT_CURSOR_MAX: 256,
    SEARCH_MAX: 128,
    TOTAL_COUNTED_MAX: 10_000,
    STATS_DAYS_MAX: 92,
    PROMPT_MAX: 4_000,
  })
})

test('live callbacks have ten retries within about three days, and test callbacks have three retries within minutes', () => {
  const laterSec = [0.5, 5, 30, 120, 300, 600, 840, 1_200, 1_440].map((one) => one * MINUTE_SEC)
  assert.deepEqual(limits.RETRY_SCHEDULE_SEC, { live: [5, ...laterSec], test: [5, 30, 5 * MINUTE_SEC] })
})

test('no listed rate limit or window has changed', () => {
  assert.deepEqual(limits.RATE_WINDOW_SEC, { minute: MINUTE_SEC, hour: HOUR_SEC })
  const written = Object.entries(limits.RATE_LIMITS).map(([name, { max, per }]) => [name, `${max} a ${per}`])
  assertValues(Object.fromEntries(written), {
    INVITE: '20 a hour',
    PAY_GET: '600 a minute',
    PAY_POST: '120 a minute',
    PAY_POST_LINK: '20 a minute',
    PAY_STATE: '60 a minute',
    STATUS_VERIFIED: '600 a minute',
    STATUS_REFUSED: '60 a minute',
    SIGN_IN: '30 a minute',
    SIGN_UP: '10 a hour',
    FORGOT: '3 a hour',
    FORGOT_NETWORK: '10 a hour',
    PORTAL: '300 a minute',
    EVENTS: '300 a minute',
    TRANSACTION_GET: '300 a minute',
    TEST_CALLBACK: '30 a minute',
    EXAM: '10 a minute',
    VERIFY_SIGNATURE: '30 a minute',
    DOCS: '300 a minute',
    AI_PROMPT: '10 a minute',
    REFUND: '60 a minute',
  })
})
