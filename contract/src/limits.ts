// Every number that merchants and payers are promised (sizes, times, rate limits), each with its reason. All other numbers
// are in the file that uses them. This file imports nothing, so that the portal, the CLI and the texts can use it without
// the schemas.
// Long: one list.

const KIB = 1024
const MINUTE_SEC = 60
const HOUR_SEC = 60 * MINUTE_SEC
const DAY_SEC = 24 * HOUR_SEC

// Requests

/** The largest legitimate request is a pay link with 2 KiB of data. */
export const JSON_BODY_BYTES_MAX = 64 * KIB
/** Twelve digits fit PostgreSQL's bigint and the numbers of every JSON parser. */
export const AMOUNT_DIGITS_MAX = 12
export const AMOUNT_MAX = 10 ** AMOUNT_DIGITS_MAX - 1
/** The currency with the most decimals has four. */
export const AMOUNT_SCALE_MAX = 4
export const DATA_MAX_BYTES = 2048
export const CUSTOM_ID_MAX = 128

// Rate limits. The setting RATE_LIMIT_<NAME> overrides the number of requests, never the window.

export const RATE_WINDOW_SEC = { minute: MINUTE_SEC, hour: HOUR_SEC } as const

export const RATE_LIMITS = {
  /** Per IP address. High, because a whole office behind one address may open links at the same time. */
  PAY_GET: { max: 600, per: 'minute' },
  PAY_POST: { max: 120, per: 'minute' },
  /** Per IP address and link. A payer presses Pay a few times, a card tester hundreds of times. */
  PAY_POST_LINK: { max: 20, per: 'minute' },
  PAY_STATE: { max: 60, per: 'minute' },
  /** Receipts by mail, per network and per mailbox. Both are counted in the database. */
  RECEIPT: { max: 10, per: 'hour' },
  RECEIPT_MAILBOX: { max: 5, per: 'hour' },
  /** checkStatus, per project. Ten a second are enough for a merchant that polls every open order. */
  STATUS_VERIFIED: { max: 600, per: 'minute' },
  /** checkStatus with a wrong hash, per IP address, because somebody may be guessing. */
  STATUS_REFUSED: { max: 60, per: 'minute' },
  SIGN_IN: { max: 30, per: 'minute' },
  SIGN_UP: { max: 10, per: 'hour' },
  /** Reset mails, per mailbox and per network. Both are counted in the database. */
  FORGOT: { max: 3, per: 'hour' },
  FORGOT_NETWORK: { max: 10, per: 'hour' },
  /** Per account, over all routes of the portal. */
  PORTAL: { max: 300, per: 'minute' },
  /** Per account. Five polls a second, in addition to the portal's own requests. */
  EVENTS: { max: 300, per: 'minute' },
  TRANSACTION_GET: { max: 300, per: 'minute' },
  TEST_CALLBACK: { max: 30, per: 'minute' },
  EXAM: { max: 10, per: 'minute' },
  VERIFY_SIGNATURE: { max: 30, per: 'minute' },
  /** Uploads per account, because each is decompressed and compressed again. */
  LOGO: { max: 10, per: 'minute' },
  DOCS: { max: 300, per: 'minute' },
  AI_PROMPT: { max: 10, per: 'minute' },
  /** Per project. A person refunds a few payments a minute, a program works through a list. */
  REFUND: { max: 60, per: 'minute' },
  /**
   * Per project, and five times as many per person, counted in the database. Enough to invite a team at once, and too few to
   * flood a mailbox.
   */
  INVITE: { max: 20, per: 'hour' },
} as const satisfies Record<string, { max: number; per: keyof typeof RATE_WINDOW_SEC }>
export type RateLimitName = keyof typeof RATE_LIMITS

// Accounts and sessions

/** A long password is hard to guess, even from a stolen hash. */
export const PASSWORD_MIN = 12
/** Enough for a sentence. Without a limit, the server could be made to hash megabytes. */
export const PASSWORD_MAX = 128
/** RFC 5321 allows a path of 256 octets, including its two brackets. */
export const EMAIL_MAX = 254
/** A browser that is left open in the evening needs the password again the next day. */
export const SESSION_IDLE_MAX_HOURS = 12
export const SESSION_MAX_DAYS = 7
/** Enough for one task. Activity does not extend it. */
export const STEP_UP_MAX_SEC = 300
/**
 * How many attempts may fail within the window. Sign-ins are counted per email address, or per browser that has signed in
 * before. The next attempt is refused, even with the right password.
 */
export const LOCKOUT_ATTEMPTS_MAX = 5
export const LOCKOUT_WINDOW_MIN = 15
/** Wrong codes of second factors per account. Six digits are few, so the limit makes guessing take years. */
export const CODES_WRONG_PER_DAY_MAX = 20
/**
 * Mails to confirm or change the address of an account. Enough to correct typing errors. With more, somebody could use this
 * service to mail strangers.
 */
export const CONFIRMATION_MAILS_PER_DAY_MAX = 10
/** Enough time to find the phone. Afterwards the password has to be typed again. */
export const PENDING_SIGN_IN_MAX_SEC = 300
/** Enough for years, and few enough to print. */
export const RECOVERY_CODES_COUNT = 10
/** Enough time to find the phone or security key. */
export const PASSKEY_CHALLENGE_MAX_SEC = 300
export const PASSKEY_NAME_MAX = 60
/** More devices than a person has. */
export const PASSKEYS_PER_ACCOUNT_MAX = 20
/** In this time, the owner can stop somebody who persuaded an operator to remove the owner's second factors. */
export const FACTOR_RESET_WAIT_HOURS = 24
/** In this time, the owner can notice the mail about a used recovery code, before the code leads to a secret or a refund. */
export const RECOVERY_WAIT_HOURS = 24
/** A device is recognised for a year, so that a stranger's failed attempts do not lock its owner out. */
export const DEVICE_COOKIE_MAX_AGE_SEC = 365 * DAY_SEC
/** Short, because a reset link gives access to the account. */
export const RESET_LINK_MAX_HOURS = 1
/** Longer, because a confirmation link only proves access to a mailbox. */
export const CONFIRM_LINK_MAX_HOURS = 24
export const TOKEN_NAME_MAX = 80
/** Long enough for a yearly renewal. Every token expires. */
export const TOKEN_DAYS_MAX = 365
/** Enough for a token per program and machine. More are probably created by a script in a loop. */
export const TOKENS_PER_ACCOUNT_MAX = 50

// Projects

/** Set by the specification. The sixth project is refused with too_many. */
export const PROJECTS_PER_ACCOUNT_MAX = 5
export const PROJECT_NAME_MAX = 80
/** How long a prepared live secret can be promoted: a secret prepared on a Friday can be promoted on Monday. */
export const NEXT_SECRET_MAX_HOURS = 72
/** Browsers, proxies and logs truncate longer URLs, and no merchant needs one. */
export const URL_LENGTH_MAX = 2048
/** Enough for a logo at twice its size on the page. */
export const LOGO_BYTES_MAX = 100 * KIB
export const LOGO_SIDE_MAX = 1024
/** Cameras cannot read a code of less than 128 pixels, and 2048 are enough for a poster. */
export const QR_SIZE_MIN = 128
export const QR_SIZE_MAX = 2048
export const QR_SIZE_DEFAULT = 1024

/** Long enough for a person on holiday. A link forgotten in a mailbox must not work for years. */
export const INVITATION_MAX_DAYS = 7
/** As long as an invitation is valid. */
export const TRANSFER_OFFER_MAX_DAYS = 7
/** In this time, both owners can stop a transfer that somebody else requested or accepted in their name. */
export const TRANSFER_WAIT_HOURS = 24
/** Members and open invitations together. More than any merchant's team has. */
export const MEMBERS_PER_PROJECT_MAX = 50
/** Keeps lists over all projects of a person fast. */
export const SHARED_PROJECTS_MAX = 50

// Checkout

/** `exp` of a pay link, in Unix seconds. It has at most twelve digits like an amount, so that one pattern matches both. */
export const LINK_EXP_MAX = AMOUNT_MAX
/**
 * A page may stay open for an hour. After that, prices and secrets may have changed, and opening a new page costs one click.
 */
export const ATTEMPT_TOKEN_MAX_AGE_MIN = 60
/** The browser remembers its last checkout attempt for a link as long as the token is valid. */
export const ATTEMPT_COOKIE_MAX_AGE_MIN = 60
/** More than the longest link needs, sealed and in base64 (2048 bytes of `data`, each six characters in JSON). */
export const ATTEMPT_TOKEN_MAX = 20_000
/** Receipts by mail per payment: one for the payer, one for somebody else, one after a typing error. */
export const RECEIPTS_PER_PAYMENT_MAX = 3
/**
 * How long the redirect waits for the merchant's 2xx. A payer takes 3 s for the bank's processing, and a longer wait for an
 * error.
 */
export const REDIRECT_WAIT_MAX_MS = 3_000
/** Default of ACTION_TIMEOUT_MIN: how long a bank's page may stay open before the payment expires. */
export const ACTION_TIMEOUT_DEFAULT_MIN = 30
/** A longer description or order ID may be meant for programs, so payers do not see it. In UTF-16 units. */
export const PAYER_TEXT_MAX = 64

// Refunds

export const REFUND_REASON_MAX = 200
export const IDEMPOTENCY_KEY_MAX = 64
/** How many entries of an upstream's list `books check` reads into memory. Enough for a busy month. */
export const BOOKS_CHECK_ITEMS_MAX = 50_000
/** The longest period that `books check` compares: a quarter and a few days. */
export const BOOKS_CHECK_DAYS_MAX = 100

// Callbacks and streams

/** From the start of an attempt to the end of the response. Longer than any healthy merchant needs. */
export const CALLBACK_TIMEOUT_MS = 15_000
/** The waits between attempts. Live callbacks are retried for about three days, test callbacks only for a short time. */
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
/** Proxies close connections that are idle for a minute, and some already after 30 seconds. */
export const STREAM_PING_EVERY_MS = 15_000
/** How often a stream checks that its reader still has access. It is the fallback for a lost notification of a removal. */
export const STREAM_ACCESS_CHECK_EVERY_MS = 1_000
/** How far back Last-Event-ID replays events. A client that was away for longer reads the delivery log instead. */
export const STREAM_REPLAY_MIN = 5
/** The longest duration of a response that a listener may report. More than any program takes. */
export const REPORTED_MS_MAX = 600_000
/** Enough for a few browser tabs and terminals. More are probably opened in a loop. */
export const STREAMS_PER_ACCOUNT_MAX = 5
/** Requests in the inbox of a project without a server: enough for a day of tests, and one page. */
export const INBOX_REQUESTS_MAX = 500

// Retention: how long rows are stored

/** For this long, a tab of the portal that was opened before a deploy can load its files. A session lasts a week. */
export const PORTAL_FILES_RETENTION_DAYS = 30
/**
 * Mails are kept for support questions ("was the mail sent?") and then deleted, because the row contains a person's
 * address.
 */
export const MAIL_RETENTION_DAYS = 30
/** An expired token stays listed for this long, so that an owner whose program stopped working finds out why. */
export const TOKEN_RETENTION_DAYS = 30
/** Counted from its last use: a browser that has not signed in for a year is unknown again. */
export const DEVICE_RETENTION_DAYS = 365
/** Long enough to answer who was invited. The row contains the address of a person who may have no account. */
export const INVITATION_RETENTION_DAYS = 30
/** Misuse is often found months later, and audits cover the last year. */
export const AUDIT_RETENTION_DAYS = 730
/** The inbox is for trying things out. The delivery log has the history. */
export const INBOX_RETENTION_DAYS = 7
/** Default of ATTEMPT_RETENTION_DAYS: delivery attempts are deleted after this many days. */
export const ATTEMPT_RETENTION_DEFAULT_DAYS = 90

// Lists, search and stats

export const LIST_PAGE_MAX = 10_000
export const LIST_LIMIT_MAX = 100
export const LIST_LIMIT_DEFAULT = 20
/** For the lists that have a cursor instead of pages: deliveries and audit. */
export const CURSOR_LIST_LIMIT_DEFAULT = 50
export const EVENTS_LIMIT_DEFAULT = 100
export const EVENTS_LIMIT_MAX = 500
/** Longer than any cursor. */
export const EVENT_CURSOR_MAX = 256
/** The maximum length of a customId. */
export const SEARCH_MAX = 128
/** Totals without a stored counter are counted up to this number, and then reported as inexact. */
export const TOTAL_COUNTED_MAX = 10_000
/** Three months. With longer ranges the bars would be too thin to see, and the work would have no limit. */
export const STATS_DAYS_MAX = 92

// Assistant

/** Enough for a question with some code and an error message. */
export const PROMPT_MAX = 4_000
