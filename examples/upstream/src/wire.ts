// The wire format of docs/upstream.md: signatures, requests, payments, refunds and disputes.
import { verifyWebhook } from '@pazar/sdk'
import type { HeaderSource } from '@pazar/sdk'
import type { Dispute, Payment, Refund } from './ledger.ts'

export interface NewPayment {
  id: string
  amount: string
  currency: string
  /** Null if Pazar is an older release, which does not send the scale. */
  scale: number | null
  projectId: string
  customId: string | null
  returnUrl: string
  metadata?: unknown
}

/** The part of a payment that Pazar reads. */
export type WirePayment = Pick<Payment, 'id' | 'status' | 'amount' | 'currency' | 'sequence'> &
  Partial<Record<'projectId' | 'chargeId' | 'failureCode' | 'redirectUrl', string>>

export function toWire(payment: Payment, redirectUrl: string | null): WirePayment {
  const { id, status, amount, currency, projectId, chargeId, failureCode, sequence } = payment
  return {
    id,
    status,
    amount,
    currency,
    sequence,
    ...(projectId === null ? {} : { projectId }),
    ...(chargeId === null ? {} : { chargeId }),
    ...(failureCode === null ? {} : { failureCode }),
    ...(redirectUrl === null ? {} : { redirectUrl }),
  }
}

export interface NewRefund {
  id: string
  amount: string
  currency: string
  metadata?: unknown
}

/** A refund in a response. Its webhook has the same body. */
export function toWireRefund({ failureCode, ...refund }: Refund): object {
  return { kind: 'refund', ...refund, ...(failureCode === null ? {} : { failureCode }) }
}

/** A dispute in a list. Its webhook has the same body. */
export function toWireDispute(dispute: Dispute): object {
  return { kind: 'dispute', ...dispute }
}

export type Verb = 'create' | 'find' | 'cancel' | 'info' | 'refund' | 'find_refund' | 'list'

/** The signed webhook-id names the verb and the subject, so a recorded request cannot be used for another purpose. */
export function isGenuine(
  request: {
    verb: Verb
    /** The payment or refund that the request is about, the name of the list, or `terms` for `info`. */
    subject: string
    body: Uint8Array
    headers: HeaderSource & { 'webhook-id'?: unknown }
  },
  options: { secret: string; nowSec: number },
): boolean {
  const signedId = request.headers['webhook-id']
  if (typeof signedId !== 'string' || !signedId.startsWith(`${request.verb}_${request.subject}_`))
    return false
  return verifyWebhook(request.body, request.headers, options).ok
}

/** Null: the body does not have the format of docs/upstream.md. */
export function parseNewPayment(body: Uint8Array): NewPayment | null {
  const value = parseJson(body)
  if (typeof value !== 'object' || value === null) return null
  const { id, amount, currency, scale, projectId, customId, returnUrl, metadata } = value as Record<
    string,
    unknown
  >
  if (typeof id !== 'string' || !/^[0-9a-f-]{36}$/.test(id)) return null
  if (typeof amount !== 'string' || !/^[1-9][0-9]{0,11}$/.test(amount)) return null
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return null
  if (scale !== undefined && !Number.isInteger(scale)) return null
  if (typeof projectId !== 'string' || typeof returnUrl !== 'string') return null
  if (customId !== undefined && typeof customId !== 'string') return null
  const optional = { scale: typeof scale === 'number' ? scale : null, customId: customId ?? null }
  return { id, amount, currency, projectId, returnUrl, metadata, ...optional }
}

/** Null: the body does not have the format of docs/upstream.md. */
export function parseNewRefund(body: Uint8Array): NewRefund | null {
  const value = parseJson(body)
  if (typeof value !== 'object' || value === null) return null
  const { id, amount, currency, metadata } = value as Record<string, unknown>
  if (typeof id !== 'string' || !/^[0-9a-f-]{36}$/.test(id)) return null
  if (typeof amount !== 'string' || !/^[1-9][0-9]{0,11}$/.test(amount)) return null
  return typeof currency === 'string' ? { id, amount, currency, metadata } : null
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    // After any error, the caller responds with 400.
    return null
  }
}
