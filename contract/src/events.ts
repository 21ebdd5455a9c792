// /sdk/events/list: the changes of a project's payments, refunds and disputes, in an order that never changes.
import { z } from 'zod'
import { FAILURE_CODE_TEXT } from './callback-body.ts'
import { EVENT_CURSOR_MAX, EVENTS_LIMIT_DEFAULT, EVENTS_LIMIT_MAX } from './limits.ts'
import { disputeState } from './disputes.ts'
import { refundOrigin, refundState } from './refunds.ts'
import { resolution, transactionState } from './transactions.ts'
import { mode, money, projectId, scale, time } from './values.ts'

export const eventListBody = z.strictObject({
  projectId,
  mode: mode.optional().describe('If omitted: live and test'),
  after: z
    .string()
    .min(1)
    .max(EVENT_CURSOR_MAX)
    .optional()
    .describe('`next` of the page before. If omitted: from the first event'),
  limit: z.int().min(1).max(EVENTS_LIMIT_MAX).default(EVENTS_LIMIT_DEFAULT),
})

/** customId and data are those of the payment. Each is null if the payment has none, or if the value was erased. */
const commonPayload = {
  amount: money,
  currency: z.string(),
  scale,
  mode,
  customId: z.string().nullable(),
  data: z.string().nullable(),
}

const paymentPayload = z.object({
  ...commonPayload,
  state: transactionState,
  successful: z
    .boolean()
    .describe('Whether the payment counts as paid. `resolution` decides if there is one, otherwise `state`'),
  failureCode: z.string().nullable().describe(FAILURE_CODE_TEXT),
  needsReview: z.boolean(),
  resolution: resolution.nullable(),
  upstreamRef: z.string().nullable().describe("The bank's reference for the charge"),
  createdAt: time,
  completedAt: time.nullable(),
})

const refundPayload = z.object({
  ...commonPayload,
  state: refundState,
  failureCode: z.string().nullable(),
  origin: refundOrigin,
  refundedTotal: z.string().describe('What has been refunded of the payment in total, after this change'),
  upstreamRef: z.string().nullable().describe("The bank's reference for the refund"),
  createdAt: time,
  completedAt: time.nullable(),
})

const disputePayload = z.object({
  ...commonPayload,
  state: disputeState,
  reason: z.string().nullable(),
  respondBy: time.nullable(),
  openedAt: time,
  closedAt: time.nullable(),
})

const commonFields = {
  id: z.string().describe('Unique. The ID of an event never changes'),
  at: time,
  transactionId: z.string(),
}

// Each schema has an id, because some client generators cannot name the members of a union.
const paymentEvent = z
  .object({
    ...commonFields,
    type: z.enum(['payment.created', 'payment.result', 'payment.review']),
    payload: paymentPayload,
  })
  .meta({ id: 'PaymentEvent' })

const refundEvent = z
  .object({
    ...commonFields,
    type: z.enum(['refund.created', 'refund.result']),
    refundId: z.string(),
    payload: refundPayload,
  })
  .meta({ id: 'RefundEvent' })

const disputeEvent = z
  .object({
    ...commonFields,
    type: z.enum(['dispute.opened', 'dispute.closed']),
    disputeId: z.string(),
    payload: disputePayload,
  })
  .meta({ id: 'DisputeEvent' })

const event = z.discriminatedUnion('type', [paymentEvent, refundEvent, disputeEvent]).meta({ id: 'Event' })

export const eventList = z.object({
  items: z
    .array(event)
    .describe('Oldest first; the payload shows the state right after the event, not the current one'),
  next: z.string().describe('The cursor for `after` of the next request. An empty page has it too'),
  hasMore: z.boolean(),
})

export type EventListBody = z.infer<typeof eventListBody>
export type EventView = z.infer<typeof event>
export type EventType = EventView['type']
export type EventPage = z.infer<typeof eventList>
export type RefundPayload = z.infer<typeof refundPayload>
export type DisputePayload = z.infer<typeof disputePayload>
