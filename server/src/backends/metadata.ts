// What every upstream stores with our payments and refunds, so that they can be rebuilt from the upstream alone after a
// restore from a backup.
import { AMOUNT_PATTERN, AMOUNT_SCALE_MAX, CUSTOM_ID_MAX, TRANSACTION_ID_PATTERN } from '@pazar/contract'
import { z } from 'zod'
import { toDate } from '../lib/clock.ts'
import type { NewCharge, NewRefund } from './backend.ts'
import type { Origin, RefundOrigin } from './origin.ts'

/** A payment without this key is not ours. */
export const TRANSACTION_KEY = 'pazar_transaction'
export const PROJECT_KEY = 'pazar_project'
/** The installation that opened the payment; absent in older payments. */
export const INSTALLATION_KEY = 'pazar_installation'
/** A refund without this key was made at the upstream. */
export const REFUND_KEY = 'pazar_refund'

/** Stripe's limit for one value. */
const VALUE_MAX = 500
/** The longest `data` needs this many values. */
const DATA_PARTS_MAX = 5

export type Metadata = Record<string, string>

/** Two installations may share an account; each knows only its own payments. */
export function belongsToOtherInstallation(
  metadata: Readonly<Record<string, unknown>>,
  installationId: string,
): boolean {
  const openedBy = metadata[INSTALLATION_KEY]
  return openedBy !== undefined && openedBy !== installationId
}

/** Splits the text without breaking a surrogate pair. */
function split(text: string): string[] {
  const parts: string[] = []
  for (let rest = text; rest !== ''; rest = rest.slice(parts.at(-1)!.length)) {
    const part = rest.slice(0, VALUE_MAX)
    parts.push(rest.length > VALUE_MAX && !part.isWellFormed() ? part.slice(0, -1) : part)
  }
  return parts
}

const toDataKey = (index: number) => (index === 0 ? 'pazar_data' : `pazar_data_${index + 1}`)

function withoutNulls(values: Record<string, string | null | undefined>): Metadata {
  const present = Object.entries(values).filter(([, value]) => typeof value === 'string' && value !== '')
  return Object.fromEntries(present) as Metadata
}

export function toMetadata(charge: NewCharge, installationId: string): Metadata {
  const { origin } = charge
  return withoutNulls({
    [TRANSACTION_KEY]: charge.id,
    [PROJECT_KEY]: charge.projectId,
    [INSTALLATION_KEY]: installationId,
    pazar_custom_id: charge.customId,
    ...Object.fromEntries(split(charge.data ?? '').map((part, index) => [toDataKey(index), part])),
    pazar_mode: charge.mode,
    pazar_scale: charge.scale.toString(),
    pazar_attempt: origin?.attemptId,
    pazar_checkout: origin?.checkoutId,
    pazar_created_at: origin?.createdAt.toISOString(),
  })
}

const uuid = z.string().regex(TRANSACTION_ID_PATTERN)
const time = z.iso.datetime().transform((text) => toDate(Date.parse(text)))

const storedOrigin = z.object({
  [INSTALLATION_KEY]: z.string(),
  [PROJECT_KEY]: z.string().max(VALUE_MAX),
  pazar_custom_id: z
    .string()
    .refine((text) => [...text].length <= CUSTOM_ID_MAX)
    .optional(),
  pazar_mode: z.enum(['live', 'test']),
  pazar_scale: z.coerce.number().int().min(0).max(AMOUNT_SCALE_MAX),
  pazar_attempt: z.uuid(),
  pazar_checkout: z.uuid().optional(),
  pazar_created_at: time,
})

/** Null: the payment is not ours, an older release stored less, or the upstream does not return what we stored. */
export function parseOrigin(metadata: unknown): Origin | null {
  const { data: stored } = storedOrigin.safeParse(metadata)
  if (!stored) return null
  const values = metadata as Readonly<Record<string, unknown>>
  const parts = Array.from({ length: DATA_PARTS_MAX }, (_, index) => values[toDataKey(index)])
  const data = parts.filter((part) => typeof part === 'string').join('')
  return {
    installationId: stored[INSTALLATION_KEY],
    projectId: stored[PROJECT_KEY],
    mode: stored.pazar_mode,
    attemptId: stored.pazar_attempt,
    checkoutId: stored.pazar_checkout ?? null,
    customId: stored.pazar_custom_id ?? null,
    data: data === '' ? null : data,
    scale: stored.pazar_scale,
    createdAt: stored.pazar_created_at,
  }
}

export function toRefundMetadata(refund: NewRefund): Metadata {
  const { origin } = refund
  return withoutNulls({
    [REFUND_KEY]: refund.id,
    [TRANSACTION_KEY]: refund.paymentId,
    [PROJECT_KEY]: refund.projectId,
    [INSTALLATION_KEY]: origin?.installationId,
    pazar_origin: origin?.requestedBy,
    pazar_key: origin?.idempotencyKey,
    pazar_requested: origin?.requestedAmount?.toString(),
    pazar_reason: origin?.reason,
    pazar_created_at: origin?.createdAt.toISOString(),
  })
}

const storedRefund = z.object({
  [REFUND_KEY]: uuid,
  [INSTALLATION_KEY]: z.string(),
  pazar_origin: z.enum(['portal', 'api']),
  pazar_key: z.string().optional(),
  pazar_requested: z.string().regex(AMOUNT_PATTERN).optional(),
  pazar_reason: z.string().optional(),
  pazar_created_at: time,
})

/** Null: the refund is not ours, an older release stored less, or the upstream does not return what we stored. */
export function parseRefundOrigin(metadata: unknown): RefundOrigin | null {
  const { data: stored } = storedRefund.safeParse(metadata)
  if (!stored) return null
  const { pazar_requested: requested } = stored
  return {
    installationId: stored[INSTALLATION_KEY],
    requestedBy: stored.pazar_origin,
    idempotencyKey: stored.pazar_key ?? null,
    requestedAmount: requested === undefined ? null : BigInt(requested),
    reason: stored.pazar_reason ?? null,
    createdAt: stored.pazar_created_at,
  }
}
