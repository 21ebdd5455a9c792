// /portal/api deliveries: the log of callbacks, resending, test callbacks, the live stream, and the inbox of a project
// without a server.
import { z } from 'zod'
import {
  CURSOR_LIST_LIMIT_DEFAULT,
  INBOX_REQUESTS_MAX,
  LIST_LIMIT_MAX,
  REPORTED_MS_MAX,
  SEARCH_MAX,
} from './limits.ts'
import { dataInput } from './links.ts'
import { callbackEvent } from './projects.ts'
import { callbackStatus, instant } from './transactions.ts'
import {
  amountInput,
  CALLBACK_ID_PATTERN,
  customId,
  mode,
  money,
  projectId,
  queryInt,
  queryLang,
  time,
  scale,
} from './values.ts'

export const attemptOutcome = z.enum([
  'delivered',
  'http_error',
  'timeout',
  'dns',
  'connect',
  'tls',
  'blocked_address',
  'redirect',
  'too_large',
  'interrupted',
])
const attemptTrigger = z.enum(['auto', 'manual', 'test', 'exam'])

export const callback = z
  .object({
    id: z.string(),
    projectId,
    event: callbackEvent,
    transactionId: z.string().nullable(),
    refundId: z.string().nullable(),
    disputeId: z.string().nullable(),
    mode,
    result: z.enum(['success', 'fail']).nullable().describe('null for disputes'),
    status: callbackStatus,
    amount: money,
    currency: z.string(),
    scale,
    customId: z.string().nullable(),
    data: z.string().nullable(),
    attempts: z.int(),
    nextAt: time.nullable(),
    createdAt: time,
    deliveredAt: time.nullable(),
  })
  .meta({ id: 'Callback' })

export const callbackAttempt = z
  .object({
    callbackId: z.string(),
    attempt: z.int(),
    trigger: attemptTrigger,
    url: z.string().describe('`listeners` when it was forwarded to the CLI'),
    startedAt: time,
    durationMs: z.int().nullable(),
    outcome: attemptOutcome,
    statusCode: z.int().nullable(),
    error: z.string().nullable().describe('The technical error'),
    cause: z.string().nullable().describe('What went wrong, in plain words'),
    fix: z.string().nullable().describe('What you can do about it'),
    responseExcerpt: z.string().nullable(),
    reported: z
      .object({
        statusCode: z.int().nullable().describe('null: there was no response'),
        durationMs: z.int(),
      })
      .nullable()
      .describe('What the CLI reported about a forwarded callback; nothing depends on it'),
    nextAt: time.nullable(),
  })
  .meta({ id: 'CallbackAttempt' })

const filters = {
  mode: mode.optional(),
  status: callbackStatus.optional(),
  outcome: attemptOutcome.optional(),
  q: z
    .string()
    .min(1)
    .max(SEARCH_MAX)
    .optional()
    .describe('A whole callback or transaction ID, or the beginning of customId'),
  from: instant.optional().describe('Created at this time or later'),
  to: instant.optional().describe('Created before this time'),
  order: z
    .enum(['newest', 'oldest'])
    .optional()
    .describe('What comes first. If omitted: newest. A search by customId is sorted by customId'),
}

/**
 * With `watch`, the events contain ids and states, but neither headers nor body. The client is then a portal page and not
 * a listener, so test callbacks are still sent to the merchant.
 */
export const eventsQuery = z.strictObject({ watch: z.literal('true').optional(), lang: queryLang })

export const eventReportBody = z.strictObject({
  callbackId: z.string().regex(CALLBACK_ID_PATTERN).describe('The webhook-id of the callback'),
  statusCode: z.int().min(100).max(599).nullable().describe('null: there was no response'),
  durationMs: z.int().min(0).max(REPORTED_MS_MAX),
})
export const eventReportAnswer = z.object({ recorded: z.literal(true) })

export const deliveryQuery = z.strictObject({
  ...filters,
  // A cursor may contain a customId of 128 characters with four bytes each.
  cursor: z.string().max(1000).optional().describe('nextCursor of the page before'),
  limit: queryInt(LIST_LIMIT_MAX).default(CURSOR_LIST_LIMIT_DEFAULT),
  lang: queryLang,
})
export const deliveryCsvQuery = z.strictObject({ ...filters, lang: queryLang })

export const deliveryList = z.object({
  items: z.array(callback.extend({ lastAttempt: callbackAttempt.nullable() })),
  nextCursor: z.string().nullable(),
})
export const deliveryParams = z.strictObject({
  id: projectId.describe('The ID of the project'),
  callbackId: z.string().regex(CALLBACK_ID_PATTERN).describe('The webhook-id of the callback'),
})
export const deliveryDetail = z.object({
  callback,
  body: z
    .record(z.string(), z.unknown())
    .describe('The body as sent, with the value of `hash` (its signature) masked'),
  attempts: z.array(callbackAttempt),
  payerReturn: z
    .object({
      at: time,
      aheadMs: z
        .int()
        .nullable()
        .describe(
          'Milliseconds from the acceptance of the callback to the return of the payer. Null: it was not accepted before the payer returned',
        ),
    })
    .nullable()
    .describe(
      'When the payer was sent back to the merchant. Before that, the service waits up to 3 s until the callback is accepted. Null: the payer was not sent back yet, or the service did not wait for this callback',
    ),
})

export const resendBody = z.strictObject({
  again: z.boolean().optional().describe('Required to resend a callback that was delivered'),
})
export const resendFailedBody = z.strictObject({
  since: instant.describe('Created at this time or later'),
  mode: mode.optional(),
})
export const resendAnswer = z.object({ callback })
export const resendFailedAnswer = z.object({ count: z.int() })

export const inboxQuery = z.strictObject({
  limit: queryInt(INBOX_REQUESTS_MAX).default(INBOX_REQUESTS_MAX),
  lang: queryLang,
})
export const inboxList = z.object({
  items: z
    .array(
      z.object({
        receivedAt: time,
        headers: z.record(z.string(), z.string()),
        body: z.string().describe('The exact text that was signed'),
        verified: z.boolean().describe('Whether the signature was valid when the request arrived'),
      }),
    )
    .describe('Newest first'),
})

export const testCallbackBody = z.strictObject({
  event: callbackEvent
    .optional()
    .describe('If omitted: payment.result. Any other must be among the `events` of the project'),
  status: z
    .enum(['success', 'fail'])
    .describe(
      'refund.result: fail gives `refundStatus` failed. dispute.closed: success gives won, fail gives lost. dispute.opened: no effect',
    ),
  amount: amountInput,
  data: dataInput.optional(),
  customId: customId.optional(),
  to: z
    .enum(['url', 'listeners'])
    .optional()
    .describe(
      'url: `testApiUrl`, else `apiUrl`; listeners: every connected CLI. If omitted: `testApiUrl`, else connected CLIs, else `apiUrl`',
    ),
})
export const testCallbackAnswer = z.object({ callback, attempt: callbackAttempt })

export type AttemptOutcome = z.infer<typeof attemptOutcome>
export type AttemptTrigger = z.infer<typeof attemptTrigger>
export type CallbackView = z.infer<typeof callback>
export type AttemptView = z.infer<typeof callbackAttempt>
export type DeliveryFilters = Omit<z.infer<typeof deliveryCsvQuery>, 'lang'>
export type DeliveryQuery = z.infer<typeof deliveryQuery>
export type EventReportBody = z.infer<typeof eventReportBody>
export type TestCallbackBody = z.infer<typeof testCallbackBody>
