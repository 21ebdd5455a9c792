// Refusals as the payer reads them: a page with the same status and code as a program would get, that says whether
// money was taken and leads on.
import type { FastifyError } from 'fastify'
import type { ErrorCode } from '@pazar/contract'
import type { Notice } from '@pazar/words'
import { beginRefusal, toProblem } from '../http/problem-reply.ts'
import { queryOf } from '../http/server.ts'
import { ServiceError } from '../lib/service-error.ts'
import { parsePayLink } from '../paylinks/pay-link.ts'
import { sendPage, toContext, toOwnAddress } from './answers.ts'
import { recallAttempt } from './attempt-memory.ts'
import { noticePage } from './notice-page.ts'
import { LinkRefusal } from './open-link.ts'
import type { Tone, Way } from './page-parts.ts'
import type { CheckoutWords, Visit } from './visit.ts'

type NoticeName = keyof CheckoutWords['notices']

/** By a link that is refused now somebody may have paid before, so only this time is spoken of. */
const LINK_NOTICES: Partial<Record<ErrorCode, NoticeName>> = {
  link_expired: 'linkExpired',
  archived: 'archived',
  kyc_required: 'cannotTakePayments',
  custom_id_conflict: 'conflict',
  rate_limited: 'busy',
  unavailable: 'busy',
  internal_error: 'busy',
}

// A second press, say of a double click, cannot know what became of the first.
const PRESS_NOTICES: Partial<Record<ErrorCode, NoticeName>> = {
  ...LINK_NOTICES,
  rate_limited: 'pressRefused',
  unavailable: 'pressRefused',
  forbidden_origin: 'formFromElsewhere',
  invalid_request: 'formLost',
  payload_too_large: 'formLost',
  unsupported_media_type: 'formLost',
}

/** The database is lost while a payment from before this request may have been charged. */
export class OutcomeUnknownError extends ServiceError {
  constructor(cause: ServiceError) {
    super('unavailable', { retryAfterSec: cause.retryAfterSec ?? 1, log: cause.log ?? cause.code, cause })
  }
}

/** On a page about a payment nothing is said of money, but that it is not affected. */
const STATE_NOTICES: Partial<Record<ErrorCode, NoticeName>> = {
  not_found: 'paymentUnknown',
  invalid_request: 'paymentUnknown',
}

/** Whether this browser has pressed Pay on the link it now opens; what became of that cannot be read at the moment. */
function hasPressed(visit: Visit): boolean {
  try {
    return recallAttempt(visit, parsePayLink(queryOf(visit.req)))?.isPressed === true
  } catch (error) {
    if (error instanceof ServiceError) return false // Not a link, so nothing was paid by it.
    throw error
  }
}

function chooseNotice(visit: Visit, error: ServiceError): Notice {
  const { req, words } = visit
  const { notices } = words
  const { code } = error
  if (req.routeOptions.url !== '/pay') return notices[STATE_NOTICES[code] ?? 'stateUnavailable']
  if (req.method === 'GET') {
    const name = LINK_NOTICES[code] ?? 'invalidLink'
    return notices[name === 'busy' && hasPressed(visit) ? 'stateUnavailable' : name]
  }
  // A fault of ours in the middle of a press: nobody can say from here how far it came.
  if (code === 'internal_error' || error instanceof OutcomeUnknownError) return words.outcomeUnknown
  return notices[PRESS_NOTICES[code] ?? 'invalidLink']
}

/** Back to the shop where it is known; else the same address again, where that may help. */
function chooseWays({ req, words }: Visit, error: ServiceError): Way[] {
  const { actions } = words
  const address = toOwnAddress(req)
  if (error instanceof LinkRefusal) return [{ href: error.returnUrl, label: actions.returnToMerchant }]
  const isPassing = error.status === 429 || error.status >= 500
  if (req.method === 'GET') return isPassing ? [{ href: address, label: actions.tryAgain }] : []
  // The form posts to its link's own address, so opening that address shows the link, or what became of it.
  return address.startsWith('/pay?') ? [{ href: address, label: actions.openLinkAgain }] : []
}

/** Among the reasons of a failure the one that is no failure for certain. */
export const IN_REVIEW = 'in_review'

/** A refused payment's reason as a sentence; the codes are the upstream's and have no place among field errors. */
function tellReasons(problem: ReturnType<typeof toProblem>, words: CheckoutWords): void {
  if (problem.errors?.[0]?.code === IN_REVIEW) {
    const { heading, money } = words.outcomeUnknown
    Object.assign(problem, { title: heading, detail: money })
    problem.errors[0].message = money
    return
  }
  const reasons: Readonly<Record<string, string>> = words.declined.reasons
  for (const one of problem.errors ?? [])
    one.message = (Object.hasOwn(reasons, one.code) && reasons[one.code]) || words.declined.reasons.generic
}

export function answerRefusal(visit: Visit, thrown: FastifyError): void {
  const { deps, req, reply, locale, words, wantsJson } = visit
  const error = beginRefusal(req, reply, thrown)
  if (wantsJson) {
    const problem = toProblem(error, { baseUrl: deps.config.baseUrl, requestId: req.id, locale })
    if (error.code === 'payment_failed') tellReasons(problem, words)
    if (error instanceof OutcomeUnknownError) problem.detail = words.outcomeUnknown.money
    reply.type('application/problem+json; charset=utf-8').send(JSON.stringify(problem))
    return
  }
  const tone: Tone = error.status >= 500 || error.status === 429 ? 'info' : 'warn'
  const page = noticePage(toContext(visit), chooseNotice(visit, error), {
    tone,
    ways: chooseWays(visit, error),
    code: `${error.code} · ${req.id}`,
  })
  const mode = error instanceof LinkRefusal ? error.mode : null
  sendPage(visit, page, { mode, ...(req.method === 'GET' ? {} : { reopenUrl: null }) })
}
