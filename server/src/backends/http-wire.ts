// What an upstream may say of a payment over HTTP, in answers and in webhooks alike. Nothing that does not have this
// very shape is believed; a field we do not know is passed over, so that upstreams may grow.
import { parseStrictJson, StrictJsonError } from '@pazar/sdk'
import { z } from 'zod'
import type { Charge } from './backend.ts'

/** The shape is flat; one more level leaves room for fields of the upstream's own. */
const DEPTH_MAX = 4
/** Long enough for any bank's page with its parameters, short enough to store. */
const URL_LENGTH_MAX = 2048
const REFERENCE_LENGTH_MAX = 128

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function isHttpUrl(text: string): boolean {
  return text.length <= URL_LENGTH_MAX && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

const upstreamPayment = z
  .object({
    id: z.string().min(1).max(REFERENCE_LENGTH_MAX),
    status: z.enum(['processing', 'requires_action', 'succeeded', 'failed', 'cancelled']),
    // Zero is what an upstream knows of a payment that was closed before it arrived.
    amount: z
      .union([z.string(), z.int()])
      .transform(String)
      .refine((text) => /^(?:0|[1-9][0-9]{0,11})$/.test(text)),
    currency: z.string().max(3),
    projectId: z.string().max(REFERENCE_LENGTH_MAX).nullish(),
    chargeId: z
      .string()
      .regex(/^[\x21-\x7e]+$/)
      .max(REFERENCE_LENGTH_MAX)
      .nullish(),
    redirectUrl: z.string().refine(isHttpUrl).nullish(),
    failureCode: z.string().nullish(),
    sequence: z.int().nonnegative().nullish(),
  })
  // A payer cannot be sent to a page that has no address.
  .refine((payment) => payment.status !== 'requires_action' || typeof payment.redirectUrl === 'string')

/** A code travels on to shops and pages, so it is a plain word or none. */
function toFailureCode(code: string | null | undefined): string | null {
  return code && /^[a-z][a-z0-9_]{0,63}$/.test(code) ? code : null
}

/** Null when the bytes are no payment; which rule they broke is told to nobody, since nothing of them is used. */
export function parseUpstreamPayment(bytes: Uint8Array): Charge | null {
  let value: unknown
  try {
    value = parseStrictJson(utf8.decode(bytes), { maxDepth: DEPTH_MAX })
  } catch (error) {
    // A TypeError is the decoder's word for bytes that are not UTF-8.
    if (error instanceof StrictJsonError || error instanceof TypeError) return null
    throw error
  }
  const { data: payment } = upstreamPayment.safeParse(value)
  if (!payment) return null
  return {
    id: payment.id,
    status: payment.status,
    amount: BigInt(payment.amount),
    currency: payment.currency,
    projectId: payment.projectId ?? null,
    chargeId: payment.chargeId ?? null,
    sequence: payment.sequence ?? null,
    failureCode: toFailureCode(payment.failureCode),
    actionUrl: payment.status === 'requires_action' ? (payment.redirectUrl ?? null) : null,
  }
}
