// From a confirmation's outcome to what the payer's browser, or a program, is told.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { catalogue } from '@pazar/words'
import { ServiceError } from '../lib/service-error.ts'
import type { Confirmation } from '../payments/confirm.ts'
import type { Payment } from '../payments/payment.ts'
import { contextOf, sendPage } from './answers.ts'
import { sealAttempt } from './attempt-token.ts'
import type { CheckoutDeps } from './deps.ts'
import type { OpenLink } from './open-link.ts'
import { declinedNotice, noticePage, readyPage } from './pages.ts'
import { toReturnUrl } from './return-url.ts'

export function nextUrl(deps: CheckoutDeps, payment: Payment, resultUrl: string): string {
  if (payment.state === 'requires_action') return payment.actionUrl!
  if (payment.state === 'processing') return `${deps.config.baseUrl}/pay/${payment.id}?return=1`
  const status = payment.state === 'succeeded' ? 'success' : 'fail'
  return toReturnUrl(resultUrl, {
    status,
    transactionId: payment.id,
    customId: payment.customId,
    mode: payment.mode,
  })
}

/** The page to confirm, or to try once more with a fresh token where nothing was charged. */
export function sendReady(
  deps: CheckoutDeps,
  req: FastifyRequest,
  reply: FastifyReply,
  open: OpenLink,
  notice: Parameters<typeof readyPage>[3],
): FastifyReply {
  const token = sealAttempt(deps.attemptTokens, open.link, deps.clock.nowMs())
  const page = readyPage(contextOf(deps, req), open, token, notice)
  return sendPage(deps, req, reply, page, { mode: open.link.mode, resultUrl: open.shop.resultUrl })
}

export function sendAlreadyPaid(
  deps: CheckoutDeps,
  req: FastifyRequest,
  reply: FastifyReply,
  open: OpenLink,
): FastifyReply {
  const context = contextOf(deps, req)
  const words = catalogue(context.locale).checkout
  const href = toReturnUrl(open.shop.resultUrl, {
    status: 'success',
    customId: open.link.customId,
    mode: open.link.mode,
  })
  const page = noticePage(context, words.notices.alreadyPaid, 'already_paid', {
    href,
    label: words.actions.returnToMerchant,
  })
  return sendPage(deps, req, reply, page, { mode: open.link.mode, resultUrl: open.shop.resultUrl })
}

export function answerForm(
  deps: CheckoutDeps,
  req: FastifyRequest,
  reply: FastifyReply,
  open: OpenLink,
  outcome: Confirmation,
): FastifyReply {
  const words = catalogue(contextOf(deps, req).locale).checkout
  switch (outcome.kind) {
    case 'conflict':
      throw new ServiceError('custom_id_conflict')
    case 'already_paid':
      return sendAlreadyPaid(deps, req, reply, open)
    case 'in_flight': {
      const page = noticePage(contextOf(deps, req), { ...words.pending }, 'processing', null)
      return sendPage(deps, req, reply, page, { mode: open.link.mode })
    }
    case 'payment': {
      const { payment } = outcome
      if (payment.state === 'failed' || payment.state === 'expired') {
        return sendReady(deps, req, reply.code(402), open, declinedNotice(words, payment.failureCode))
      }
      return reply.redirect(nextUrl(deps, payment, open.shop.resultUrl), 303)
    }
  }
}

export function toJsonAnswer(deps: CheckoutDeps, open: OpenLink, outcome: Confirmation) {
  switch (outcome.kind) {
    case 'conflict':
      throw new ServiceError('custom_id_conflict')
    case 'already_paid': {
      const redirectUrl = toReturnUrl(open.shop.resultUrl, {
        status: 'success',
        customId: open.link.customId,
        mode: open.link.mode,
      })
      return { status: 'already_paid' as const, redirectUrl }
    }
    case 'in_flight': {
      const redirectUrl = toReturnUrl(open.shop.resultUrl, {
        status: 'pending',
        customId: open.link.customId,
        mode: open.link.mode,
      })
      return { status: 'processing' as const, redirectUrl }
    }
    case 'payment': {
      const { payment } = outcome
      if (payment.state === 'failed' || payment.state === 'expired') {
        throw new ServiceError('payment_failed', {
          fields: [{ path: 'payment', code: payment.failureCode ?? 'declined' }],
        })
      }
      return {
        status: payment.state,
        transactionId: payment.id,
        redirectUrl: nextUrl(deps, payment, open.shop.resultUrl),
      }
    }
  }
}
