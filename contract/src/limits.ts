// Every limit and time that the API promises, by name, with its reason. A number that only one feature knows stays in
// that feature's file. This file imports nothing: the portal, the CLI and the texts use it without the schemas.

const KIB = 1024
const MINUTE_SEC = 60
const HOUR_SEC = 60 * MINUTE_SEC
const DAY_SEC = 24 * HOUR_SEC

// Requests

/** The largest request is a pay link with 2 KiB of data; a body past this is not one of ours. */
export const JSON_BODY_BYTES_MAX = 64 * KIB
/** Twelve digits fit PostgreSQL's bigint and every JSON reader. */
export const AMOUNT_DIGITS_MAX = 12
export const AMOUNT_MAX = 10 ** AMOUNT_DIGITS_MAX - 1
/** The currency with the most decimals has four. */
export const AMOUNT_SCALE_MAX = 4
export const DATA_MAX_BYTES = 2048
export const CUSTOM_ID_MAX = 128

// Rate limits. The setting RATE_LIMIT_<NAME> overrides the number of requests, never the window.

export const RATE_WINDOW_SEC = { minute: MINUTE_SEC, hour: HOUR_SEC } as const

export const RATE_LIMITS = {
  /** Per address: a whole office behind one address may open links at the same time. */
  PAY_GET: { max: 600, per: 'minute' },
  PAY_POST: { max: 120, per: 'minute' },
  /** Per address and link: a payer presses Pay a few times, a card tester hundreds of times. */
  PAY_POST_LINK: { max: 20, per: 'minute' },
  PAY_STATE: { max: 60, per: 'minute' },
  /** checkStatus, per project: ten a second for a merchant that polls every open order. */
  STATUS_VERIFIED: { max: 600, per: 'minute' },
  /** checkStatus with a wrong hash, per address: guessing. */
  STATUS_REFUSED: { max: 60, per: 'minute' },
  SIGN_IN: { max: 30, per: 'minute' },
  SIGN_UP: { max: 10, per: 'hour' },
  /** Reset mails, per mailbox and per network; both counted in the database. */
  FORGOT: { max: 3, per: 'hour' },
  FORGOT_NETWORK: { max: 10, per: 'hour' },
  /** Per account, over all routes of the portal. */
  PORTAL: { max: 300, per: 'minute' },
  TEST_CALLBACK: { max: 30, per: 'minute' },
  EXAM: { max: 10, per: 'minute' },
  VERIFY_SIGNATURE: { max: 30, per: 'minute' },
  DOCS: { max: 300, per: 'minute' },
  AI_PROMPT: { max: 10, per: 'minute' },
} as const satisfies Record<string, { max: number; per: keyof typeof RATE_WINDOW_SEC }>
export type RateLimitName = keyof typeof RATE_LIMITS

// Accounts and sessions

/** Length is what makes a password hard to guess, also from a stolen hash. */
export const PASSWORD_MIN = 12
/** Enough for a sentence, and no way to make the server hash megabytes. */
export const PASSWORD_MAX = 128
/** RFC 5321 allows a path of 256 octets with its brackets. */
export const EMAIL_MAX = 254
/** Over a night at most: a browser found open tomorrow needs the password again. */
export const SESSION_IDLE_MAX_HOURS = 12
export const SESSION_MAX_DAYS = 7
/** Time for what somebody came to do, and no longer. It does not grow with use. */
export const STEP_UP_MAX_SEC = 300
/** Failed attempts of one lockout bucket; the next one within the window is refused, right password or not. */
export const LOCKOUT_ATTEMPTS_MAX = 5
export const LOCKOUT_WINDOW_MIN = 15
/** A device is recognised for a year, so that a stranger's failed attempts do not lock its owner out. */
export const DEVICE_COOKIE_MAX_AGE_SEC = 365 * DAY_SEC
/** A reset link opens the account, so its time is short. */
export const RESET_LINK_MAX_HOURS = 1
/** A confirmation only proves a mailbox and may wait until tomorrow. */
export const CONFIRM_LINK_MAX_HOURS = 24
export const TOKEN_NAME_MAX = 80
/** Long enough for a machine that is renewed every year; no token lasts for ever. */
export const TOKEN_DAYS_MAX = 365
/** A token per program and machine; more is a script that makes them in a loop. */
export const TOKENS_PER_ACCOUNT_MAX = 50

// Projects

/** Set by the specification; the sixth is refused with too_many. */
export const PROJECTS_PER_ACCOUNT_MAX = 5
export const PROJECT_NAME_MAX = 80
/** Browsers, proxies and logs cut longer URLs, and no merchant needs one. */
export const URL_LENGTH_MAX = 2048
/** Below 128 pixels cameras fail; 2048 prints a poster. */
export const QR_SIZE_MIN = 128
export const QR_SIZE_MAX = 2048
export const QR_SIZE_DEFAULT = 1024

// Checkout

/** `exp` of a pay link, in Unix seconds: twelve digits, as an amount has, so that one pattern reads both. */
export const LINK_EXP_MAX = AMOUNT_MAX
/** A page may stay open over lunch; after that prices and secrets may have changed, and a fresh page costs one click. */
export const ATTEMPT_TOKEN_MAX_AGE_MIN = 60
/** As long as its token: a browser remembers its last attempt at a link. */
export const ATTEMPT_COOKIE_MAX_AGE_MIN = 60
/** The longest link (2048 bytes of `data` that JSON writes as six characters each), sealed and in base64, is shorter. */
export const ATTEMPT_TOKEN_MAX = 20_000
/** How long the redirect waits for the merchant's 2xx: payers take 3 s for the bank's processing, but not much more. */
export const REDIRECT_WAIT_MAX_MS = 3_000
/** Default of ACTION_TIMEOUT_MIN: how long a bank's page may stay open before the payment expires. */
export const ACTION_TIMEOUT_DEFAULT_MIN = 30

// Callbacks and streams

/** From the start of an attempt to the end of the response. Longer than any healthy merchant needs. */
export const CALLBACK_TIMEOUT_MS = 15_000
/** The waits between attempts. Live callbacks are retried for about three days; test ones only long enough to watch. */
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
/** Proxies close connections that are silent for a minute, some for half of one. */
export const STREAM_PING_EVERY_MS = 15_000
/** How far back Last-Event-ID replays: a laptop that slept through lunch reads the delivery log instead. */
export const STREAM_REPLAY_MIN = 5
/** A browser tab, a second one, a terminal or two; more is a loop somewhere. */
export const STREAMS_PER_ACCOUNT_MAX = 5
/** Attempts are deleted after so many days, unless ATTEMPT_RETENTION_DAYS says otherwise. */
export const ATTEMPT_RETENTION_DEFAULT_DAYS = 90

// Lists, search and stats

export const LIST_PAGE_MAX = 10_000
export const LIST_LIMIT_MAX = 100
export const LIST_LIMIT_DEFAULT = 20
/** For the lists that have a cursor instead of pages: deliveries and audit. */
export const CURSOR_LIST_LIMIT_DEFAULT = 50
/** Beyond a customId's greatest length there is little left to search for. */
export const SEARCH_MAX = 128
/** Totals without a stored counter are counted this far and then reported as inexact. */
export const TOTAL_COUNTED_MAX = 10_000
/** Three months: longer ranges would be bars too thin to see, and unbounded work. */
export const STATS_DAYS_MAX = 92

// Assistant

/** A question with a piece of code and an error beside it fits; more is a file. */
export const PROMPT_MAX = 4_000
