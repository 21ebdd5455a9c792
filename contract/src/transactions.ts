// Payments: lists, single payments and status checks.
import { z } from 'zod'
import { FAILURE_CODE_TEXT } from './callback-body.ts'
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX, LIST_PAGE_MAX, SEARCH_MAX, TOTAL_COUNTED_MAX } from './limits.ts'
import {
  amountFrom0,
  amountInput,
  customId,
  mode,
  money,
  projectId,
  queryLang,
  time,
  scale,
  TRANSACTION_ID_PATTERN,
} from './values.ts'

export const transactionState = z.enum(['processing', 'requires_action', 'succeeded', 'failed', 'expired'])
export type TransactionState = z.infer<typeof transactionState>

/** An operator's decision about a payment in review. It does not change the state. */
export const resolution = z.enum(['paid', 'unpaid'])
export type Resolution = z.infer<typeof resolution>
const RESOLUTION_TEXT =
  'What the operator decided after a review; from then on, `successful` follows this decision'

/**
 * ISO 8601 and PostgreSQL write only the years 1 to 9999 the same way. The limits are in UTC, because an offset can move a
 * time to another year.
 */
const INSTANT_MS_MIN = Date.parse('0001-01-01T00:00:00Z')
const INSTANT_MS_MAX = Date.parse('9999-12-31T23:59:59.999Z')

function isInstant(text: string): boolean {
  const atMs = z.iso.datetime({ offset: true }).safeParse(text).success ? Date.parse(text) : Number.NaN
  return atMs >= INSTANT_MS_MIN && atMs <= INSTANT_MS_MAX
}

export const instant = z
  .string()
  .refine(isInstant, { params: { code: 'invalid_time' } })
  .describe('ISO 8601 with a zone')

const filters = {
  mode: mode.optional(),
  state: transactionState.optional(),
  customId: customId.optional(),
  q: z
    .string()
    .min(1)
    .max(SEARCH_MAX)
    .optional()
    .describe('A whole ID or payment reference, or the beginning of customId or data'),
  from: instant.optional().describe('Created at this time or later'),
  to: instant.optional().describe('Created before this time'),
  completedFrom: instant.optional().describe('Ended at this time or later'),
  completedTo: instant.optional().describe('Ended before this time'),
  order: z.enum(['newest', 'oldest']).optional().describe('What comes first. If omitted: newest'),
}

const REFUNDED_TEXT = 'true: only payments of which something was refunded; false: only the others'
const DISPUTED_TEXT = 'true: only payments with an open or lost dispute; false: only the others'
const NEEDS_REVIEW_TEXT = 'true: only payments that the operator is checking; false: only the others'
const queryFlag = z.enum(['true', 'false']).transform((text) => text === 'true')

export const transactionListBody = z.strictObject({
  page: z.int().min(1).max(LIST_PAGE_MAX).default(1),
  limit: z.int().min(1).max(LIST_LIMIT_MAX).default(LIST_LIMIT_DEFAULT),
  projectId: projectId.optional().describe('If omitted: all of your projects'),
  ...filters,
  refunded: z.boolean().optional().describe(REFUNDED_TEXT),
  disputed: z.boolean().optional().describe(DISPUTED_TEXT),
  needsReview: z.boolean().optional().describe(NEEDS_REVIEW_TEXT),
})

export const transactionCsvQuery = z.strictObject({
  ...filters,
  refunded: queryFlag.optional(),
  disputed: queryFlag.optional(),
  needsReview: queryFlag.optional(),
  lang: queryLang,
})

export const callbackStatus = z.enum(['pending', 'sending', 'delivered', 'exhausted', 'cancelled'])
export type CallbackStatus = z.infer<typeof callbackStatus>

export const transaction = z
  .object({
    id: z.string(),
    reference: z.string().describe('Payment reference: the short form that payers see'),
    projectId,
    amount: money,
    currency: z.string(),
    scale,
    state: transactionState,
    successful: z
      .boolean()
      .describe(
        'Whether the payment counts as paid. `resolution` decides if there is one, otherwise `state`',
      ),
    mode,
    customId: z.string().nullable(),
    data: z.string().nullable(),
    failureCode: z.string().nullable().describe(FAILURE_CODE_TEXT),
    needsReview: z
      .boolean()
      .describe(
        'The bank has reported no result, or something that does not match the payment; the payment is being checked manually',
      ),
    resolution: resolution.nullable().describe(RESOLUTION_TEXT),
    resolvedAt: time.nullable(),
    resolutionReason: z.string().nullable().describe('Why, in the words of the operator'),
    refunded: amountFrom0.describe('What has been refunded'),
    refundable: amountFrom0.describe('What can still be refunded'),
    disputed: amountFrom0.describe('The sum of open and lost disputes'),
    upstreamRef: z.string().nullable().describe("The bank's reference for the charge"),
    callback: z
      .object({
        id: z.string(),
        status: callbackStatus,
        attempts: z.int(),
        lastStatusCode: z.int().nullable(),
        deliveredAt: time.nullable(),
        forwarded: z
          .boolean()
          .describe('The last attempt went to the CLI, whose terminal shows the response'),
      })
      .nullable(),
    createdAt: time,
    completedAt: time.nullable(),
  })
  .meta({ id: 'Transaction' })

export const transactionList = z.object({
  items: z.array(transaction),
  page: z.int(),
  limit: z.int(),
  total: z.int(),
  totalExact: z.boolean().describe(`False once counting stopped at ${TOTAL_COUNTED_MAX}`),
  hasMore: z.boolean(),
})

export const transactionGetBody = z
  .strictObject({
    projectId,
    transactionId: z.string().regex(TRANSACTION_ID_PATTERN).optional(),
    customId: customId
      .optional()
      .describe(
        'Instead of transactionId. If the order has several payments: the one in progress or succeeded, otherwise one in review, otherwise the newest',
      ),
    mode: mode.optional().describe('Used only with customId. If omitted: live'),
  })
  .refine((body) => (body.transactionId === undefined) !== (body.customId === undefined), {
    path: ['transactionId'],
    params: { code: 'id_or_custom_id' },
  })

/** Any text is accepted as project id, so that an invalid id gets the same response as an unknown project. */
export const statusCheckBody = z.strictObject({
  projectId: z.string(),
  customId,
  hash: z
    .string()
    .describe(
      'Compact JWS, signed with HS256. The payload is {projectId, customId}, and also amount if the body has it',
    ),
  amount: amountInput.optional(),
})
export const statusCheckAnswer = z.object({ successful: z.boolean() })

export const ownerStatusBody = z.strictObject({ customId, mode: mode.default('live') })
export const ownerStatusAnswer = z.object({
  found: z.boolean(),
  transactionId: z.string().nullable(),
  state: transactionState.nullable(),
  successful: z
    .boolean()
    .describe(
      'Whether the order counts as paid: by the decision after a review if there was one, else by `state`',
    ),
  needsReview: z
    .boolean()
    .describe(
      'The bank has reported no result, or something that does not match the payment; the payment is being checked manually',
    ),
})

export type TransactionFilters = Omit<z.infer<typeof transactionCsvQuery>, 'lang'>
export type TransactionListBody = z.infer<typeof transactionListBody>
export type TransactionGetBody = z.infer<typeof transactionGetBody>
export type TransactionView = z.infer<typeof transaction>
export type StatusCheckBody = z.infer<typeof statusCheckBody>
