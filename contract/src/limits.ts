// Limits of the service: sizes, times and rate limits. This file imports nothing, so that the portal and the CLI can
// load it alone.
// Why this is long: one list.

const KIB = 1024
const MINUTE_SEC = 60
const HOUR_SEC = 60 * MINUTE_SEC
const DAY_SEC = 24 * HOUR_SEC

// Requests

export const JSON_BODY_BYTES_MAX = 64 * KIB
/** Fits PostgreSQL's bigint and every JSON parser. */
export const AMOUNT_DIGITS_MAX = 12
export const AMOUNT_MAX = 10 ** AMOUNT_DIGITS_MAX - 1
/** The currency with the most decimals has four. */
export const AMOUNT_SCALE_MAX = 4
export const DATA_MAX_BYTES = 2048
export const CUSTOM_ID_MAX = 128

// Rate limits. The setting RATE_LIMIT_<NAME> overrides the number of requests.

export const RATE_WINDOW_SEC = { minute: MINUTE_SEC, hour: HOUR_SEC } as const

export const RATE_LIMITS = {
  /** Per network. High, because a whole office may share one address. */
  PAY_GET: { max: 600, per: 'minute' },
  PAY_POST: { max: 120, per: 'minute' },
  /** Per network and link. A payer presses Pay a few times, a card tester hundreds of times. */
  PAY_POST_LINK: { max: 20, per: 'minute' },
  PAY_STATE: { max: 60, per: 'minute' },
  /** Receipts by mail: the first limit is per network, the second per mailbox. */
  RECEIPT: { max: 10, per: 'hour' },
  RECEIPT_MAILBOX: { max: 5, per: 'hour' },
  /** Per project. Enough for a merchant that polls every open order. */
  STATUS_VERIFIED: { max: 600, per: 'minute' },
  /** Status checks with a wrong hash, per network. Somebody may be guessing hashes. */
  STATUS_REFUSED: { max: 60, per: 'minute' },
  SIGN_IN: { max: 30, per: 'minute' },
  SIGN_UP: { max: 10, per: 'hour' },
  /** Reset mails: the first limit is per mailbox, the second per network. */
  FORGOT: { max: 3, per: 'hour' },
  FORGOT_NETWORK: { max: 10, per: 'hour' },
  /** Per account: requests with a session or an API token, except those that EVENTS or TRANSACTION_GET counts. */
  PORTAL: { max: 300, per: 'minute' },
  /** Per account. */
  EVENTS: { max: 300, per: 'minute' },
  TRANSACTION_GET: { max: 300, per: 'minute' },
  TEST_CALLBACK: { max: 30, per: 'minute' },
  EXAM: { max: 10, per: 'minute' },
  VERIFY_SIGNATURE: { max: 30, per: 'minute' },
  /** Uploads per account. A PNG is decompressed and compressed again. */
  LOGO: { max: 10, per: 'minute' },
  DOCS: { max: 300, per: 'minute' },
  AI_PROMPT: { max: 10, per: 'minute' },
  /** Per project. */
  REFUND: { max: 60, per: 'minute' },
  /** Invitations per project. An account may send PROJECTS_PER_ACCOUNT_MAX times as many. Enough to invite a team in one go. */
  INVITE: { max: 20, per: 'hour' },
} as const satisfies Record<string, { max: number; per: keyof typeof RATE_WINDOW_SEC }>
export type RateLimitName = keyof typeof RATE_LIMITS

// Accounts and sessions

export const PASSWORD_MIN = 12
/** Limits the work of hashing. */
export const PASSWORD_MAX = 128
/** RFC 5321 allows 256 octets, including two brackets. */
export const EMAIL_MAX = 254
export const SESSION_IDLE_MAX_HOURS = 12
export const SESSION_MAX_DAYS = 7
/** Activity does not extend a step-up. */
export const STEP_UP_MAX_SEC = 300
/** How many attempts may fail within the window. Further attempts are refused, even with the right password. */
export const LOCKOUT_ATTEMPTS_MAX = 5
export const LOCKOUT_WINDOW_MIN = 15
/** Wrong codes of second factors per account. With this limit, guessing six digits takes years. */
export const CODES_WRONG_PER_DAY_MAX = 20
/** Enough to correct typing errors, and too few to flood strangers with mails. */
export const CONFIRMATION_MAILS_PER_DAY_MAX = 10
/** How long a sign-in waits for its second factor. */
export const PENDING_SIGN_IN_MAX_SEC = 300
export const RECOVERY_CODES_COUNT = 10
export const PASSKEY_CHALLENGE_MAX_SEC = 300
export const PASSKEY_NAME_MAX = 60
export const PASSKEYS_PER_ACCOUNT_MAX = 20
/** In this time, the owner can stop a removal of second factors that somebody else requested. */
export const FACTOR_RESET_WAIT_HOURS = 24
/**
 * Secrets, refunds and the like are blocked for this long after somebody used a recovery code, or after an operator
 * removed all second factors. In this time, the owner can notice the mail about it.
 */
export const RECOVERY_WAIT_HOURS = 24
/** The cookie identifies a device. Failed attempts of strangers do not lock out a device that has this cookie. */
export const DEVICE_COOKIE_MAX_AGE_SEC = 365 * DAY_SEC
export const RESET_LINK_MAX_HOURS = 1
export const CONFIRM_LINK_MAX_HOURS = 24
export const TOKEN_NAME_MAX = 80
export const TOKEN_DAYS_MAX = 365
/** An account with more tokens probably has a script that creates them in a loop. */
export const TOKENS_PER_ACCOUNT_MAX = 50

// Projects

export const PROJECTS_PER_ACCOUNT_MAX = 5
export const PROJECT_NAME_MAX = 80
/** A secret prepared on a Friday can be promoted on Monday. */
export const NEXT_SECRET_MAX_HOURS = 72
/** Browsers, proxies and logs may truncate longer URLs. */
export const URL_LENGTH_MAX = 2048
export const LOGO_BYTES_MAX = 100 * KIB
export const LOGO_SIDE_MAX = 1024
/** In pixels. Cameras can hardly read smaller codes. */
export const QR_SIZE_MIN = 128
export const QR_SIZE_MAX = 2048
export const QR_SIZE_DEFAULT = 1024

export const INVITATION_MAX_DAYS = 7
export const TRANSFER_OFFER_MAX_DAYS = 7
/**
 * How long an accepted transfer waits before it takes effect. In this time, the owner and the recipient can stop a
 * transfer for which somebody else used their account.
 */
export const TRANSFER_WAIT_HOURS = 24
export const MEMBERS_PER_PROJECT_MAX = 50
export const SHARED_PROJECTS_MAX = 50

// Checkout

/** `exp` of a pay link, in Unix seconds. It has at most as many digits as an amount, so that both share a pattern. */
export const LINK_EXP_MAX = AMOUNT_MAX
/** Limited, because prices and secrets may change while a page is open. */
export const ATTEMPT_TOKEN_MAX_AGE_MIN = 60
export const ATTEMPT_COOKIE_MAX_AGE_MIN = 60
/**
 * Longer than the longest possible token. That token contains 2048 bytes of `data`, each as six characters of JSON, and
 * is sealed and encoded in base64.
 */
export const ATTEMPT_TOKEN_MAX = 20_000
export const RECEIPTS_PER_PAYMENT_MAX = 3
/** How long a payer's redirect waits at most for the merchant to accept the callback. A longer wait looks like an error. */
export const REDIRECT_WAIT_MAX_MS = 3_000
/** Default of ACTION_TIMEOUT_MIN: how long a payer may take on the bank's page. */
export const ACTION_TIMEOUT_DEFAULT_MIN = 30
/** In UTF-16 units. A longer description or order ID may be meant for programs, so payers do not see it. */
export const PAYER_TEXT_MAX = 64

// Refunds

export const REFUND_REASON_MAX = 200
export const IDEMPOTENCY_KEY_MAX = 64
/** Limits the memory that `books check` needs. */
export const BOOKS_CHECK_ITEMS_MAX = 50_000
/** A quarter and a few days. */
export const BOOKS_CHECK_DAYS_MAX = 100

// Callbacks and streams

/** From the start of an attempt to the end of the response. */
export const CALLBACK_TIMEOUT_MS = 15_000
export const RETRY_SCHEDULE_SEC: Readonly<Record<'live' | 'test', readonly number[]>> = {
  live: [
    5,
    30,
    5 * MINUTE_SEC,
    30 * MINUTE_SEC,
    2 * HOUR_SEC,
    5 * HOUR_SEC,
    10 * HOUR_SEC,
    14 * HOUR_SEC,
    20 * HOUR_SEC,
    24 * HOUR_SEC,
  ],
  test: [5, 30, 5 * MINUTE_SEC],
}
/** Some proxies close connections that are idle for 30 seconds. */
export const STREAM_PING_EVERY_MS = 15_000
/** How often a stream checks that its reader still has access. A fallback for a lost notification. */
export const STREAM_ACCESS_CHECK_EVERY_MS = 1_000
export const STREAM_REPLAY_MIN = 5
/** The longest duration of a response that a CLI may report. */
export const REPORTED_MS_MAX = 600_000
/** An account with more streams probably has a program that opens them in a loop. */
export const STREAMS_PER_ACCOUNT_MAX = 5
export const INBOX_REQUESTS_MAX = 500

// Retention: how long rows are stored

/** An open tab of the portal needs its old files after a deploy. A session lasts a week at most, so this is long enough. */
export const PORTAL_FILES_RETENTION_DAYS = 30
/** Long enough for support questions. Not longer, because the row contains a person's address. */
export const MAIL_RETENTION_DAYS = 30
/** If a program stops working, the owner still finds its expired token in the list. */
export const TOKEN_RETENTION_DAYS = 30
export const DEVICE_RETENTION_DAYS = 365
/** Long enough to find out who was invited. Not longer, because the row contains a person's address. */
export const INVITATION_RETENTION_DAYS = 30
/** Misuse is often found months later. */
export const AUDIT_RETENTION_DAYS = 730
export const INBOX_RETENTION_DAYS = 7
/** Default of ATTEMPT_RETENTION_DAYS, for delivery attempts. */
export const ATTEMPT_RETENTION_DEFAULT_DAYS = 90

// Lists, search and stats

export const LIST_PAGE_MAX = 10_000
export const LIST_LIMIT_MAX = 100
export const LIST_LIMIT_DEFAULT = 20
/** For lists with a cursor instead of pages. */
export const CURSOR_LIST_LIMIT_DEFAULT = 50
export const EVENTS_LIMIT_DEFAULT = 100
export const EVENTS_LIMIT_MAX = 500
export const EVENT_CURSOR_MAX = 256
export const SEARCH_MAX = 128
/** Counting stops after this number, and the total is then reported as inexact. */
export const TOTAL_COUNTED_MAX = 10_000
/** Three months. This limits the database work. In a chart of a longer range, the bars would be too thin. */
export const STATS_DAYS_MAX = 92

// Assistant

export const PROMPT_MAX = 4_000
