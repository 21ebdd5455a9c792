// Explains an attempt from its log entry: why the callback did not arrive, or what was unusual about its delivery.
import { catalogue } from '@pazar/words'
import type { Catalogue, Explanation, Locale } from '@pazar/words'
import type { AttemptOutcome } from '@pazar/contract'
import type { UrlProblem } from '../egress/url-rules.ts'
import { IN_INBOX, LIVE_INBOX } from '../callbacks/inbox.ts'
import { EGRESS_FAILED_TEXT, URL_REFUSED_TEXT } from '../egress/fetch-outcome.ts'
import { findStatedReason } from './stated-reason.ts'

export interface AttemptFacts {
  outcome: AttemptOutcome
  statusCode: number | null
  error: string | null
  responseExcerpt: string | null
  reported?: { statusCode: number | null } | null
}

/** `stated` and `stated_404` are only texts, not causes. */
export type Cause = Exclude<keyof Catalogue['deliveries']['causes'], 'stated' | 'stated_404'>

/** Null for an attempt that needs no explanation. */
export function findCause(attempt: AttemptFacts): Cause | null {
  switch (attempt.outcome) {
    case 'delivered':
      // Only inboxes and open event streams accept a callback without a response.
      if (attempt.statusCode === null) return findCauseWithoutResponse(attempt)
      return attempt.error === null ? null : 'body_late'
    case 'http_error':
      return attempt.statusCode === null
        ? 'not_http'
        : findStatusCause(attempt.statusCode, attempt.responseExcerpt ?? '')
    case 'tls':
      return findByText(attempt.error, TLS_CAUSES) ?? 'tls'
    case 'blocked_address':
      if (attempt.error === LIVE_INBOX) return 'live_inbox'
      return attempt.error?.startsWith(URL_REFUSED_TEXT) ? 'url_refused' : 'blocked_address'
    case 'connect':
      return findByText(attempt.error, CONNECT_CAUSES) ?? 'connect'
    case 'interrupted':
      return attempt.error === EGRESS_FAILED_TEXT ? 'not_sent' : 'interrupted'
    default:
      return attempt.outcome
  }
}

function findCauseWithoutResponse({ error, reported }: AttemptFacts): Cause {
  if (error === IN_INBOX) return 'in_inbox'
  return reported ? 'reported' : 'handed_over'
}

/** These causes are guessed from the status, so a reason in the response is preferred. */
const GUESSED: ReadonlySet<Cause | null> = new Set([
  'bad_request',
  'unauthorized',
  'not_found',
  'not_ready',
  'server_error',
  'other_status',
])

export function findReason(attempt: AttemptFacts): string | null {
  return GUESSED.has(findCause(attempt)) ? findStatedReason(attempt.responseExcerpt) : null
}

/** `quotes`: false for mails. A response may contain a payer's data, and a mail cannot be erased. */
export function explain(locale: Locale, attempt: AttemptFacts, { quotes = true } = {}): Explanation | null {
  const { causes } = catalogue(locale).deliveries
  const cause = findCause(attempt)
  if (cause === null) return null
  const reason = findReason(attempt)
  if (reason !== null) {
    const facts = { status: attempt.statusCode ?? 0, reason: quotes ? reason : null }
    return cause === 'not_found' ? causes.stated_404(facts) : causes.stated(facts)
  }
  if (cause === 'reported') return causes.reported({ status: attempt.reported?.statusCode ?? null })
  if (cause === 'redirect') return causes.redirect({ target: attempt.error })
  if (cause === 'url_refused') return causes.url_refused({ rule: toRule(locale, attempt.error ?? '') })
  const words = causes[cause]
  return typeof words === 'function' ? words({ status: attempt.statusCode ?? 0 }) : words
}

/** The sentence about the rule that the URL breaks. The settings of a project show the same sentence. */
function toRule(locale: Locale, error: string): string {
  const { fields } = catalogue(locale)
  return fields[`url_${error.slice(URL_REFUSED_TEXT.length) as UrlProblem}`]
}

/** Recognises the pages of bot protection by their text. */
const BOT_WALL =
  /just a moment\b|cf-(?:chl|mitigated|error)|attention required!|cloudflare ray id|captcha|checking (?:your|if the site) |_incapsula_|incident id:|sucuri|ddos.guard|enable javascript and cookies|mod_?security|wordfence/i
const BOT_WALL_STATUSES: ReadonlySet<number> = new Set([401, 403, 406, 429, 503])

const STATUS_CAUSES: Readonly<Record<number, Cause>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'not_found',
  405: 'method_not_allowed',
  407: 'unauthorized',
  409: 'not_ready',
  410: 'gone',
  415: 'bad_request',
  // Laravel's "page expired" comes from its CSRF check, which a callback cannot pass.
  419: 'unauthorized',
  422: 'bad_request',
  425: 'not_ready',
  429: 'too_many_requests',
}

function findStatusCause(statusCode: number, excerpt: string): Cause {
  if (BOT_WALL_STATUSES.has(statusCode) && BOT_WALL.test(excerpt)) return 'bot_wall'
  return STATUS_CAUSES[statusCode] ?? (statusCode >= 500 ? 'server_error' : 'other_status')
}

type TextCauses = readonly (readonly [code: RegExp, cause: Cause])[]

/** Parts of the error's text: codes of OpenSSL and of the socket, and words of our own. */
const TLS_CAUSES: TextCauses = [
  [/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|has expired/, 'tls_expired'],
  [/ERR_TLS_CERT_ALTNAME_INVALID/, 'tls_name'],
  [
    /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE|INVALID_CA|DEPTH_ZERO/,
    'tls_chain',
  ],
]
const CONNECT_CAUSES: TextCauses = [
  [/ECONNREFUSED|connection refused/, 'connect_refused'],
  [/no listener/, 'no_listener'],
  [/connection lost before an answer/, 'connect_lost'],
]

function findByText(text: string | null, causes: TextCauses): Cause | null {
  return causes.find(([code]) => code.test(text ?? ''))?.[1] ?? null
}
