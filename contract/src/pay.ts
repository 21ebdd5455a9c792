// The payer's routes: their queries and bodies, and their responses to JSON clients.
import { z } from 'zod'
import { ATTEMPT_TOKEN_MAX, ATTEMPT_TOKEN_MAX_AGE_MIN, EMAIL_MAX } from './limits.ts'
import { dataInput } from './links.ts'
import { resolution, transactionState } from './transactions.ts'
import { AMOUNT_PATTERN, customId, locale, mode, money, projectId } from './values.ts'

const lang = locale.optional().describe("The page's language")

/** Only for the documentation. The server has its own parser for pay links. */
export const payQuery = z.object({
  amount: money.meta({ examples: ['1500'] }),
  project: projectId,
  data: dataInput,
  customId: customId.optional(),
  mode: mode.default('live').describe('A test link is always signed, with the test secret'),
  exp: z.string().regex(AMOUNT_PATTERN).optional().describe('Unix seconds; from then on the link is refused'),
  sig: z.string().max(200).optional().describe('Signature over the other values'),
  lang,
})

/** The query of a browser that returns from a payment. The query is no proof of the payment. */
export const paySuccessfulQuery = z.object({
  status: z
    .string()
    .optional()
    .describe('The result as stated in the address; the page shows the stored state'),
  transactionId: z.string().optional(),
  mode: mode.optional(),
  lang,
})

export const payStateQuery = z.object({
  return: z.literal('1').optional().describe('Once paid, redirect the browser to the resultUrl'),
  lang,
})

export const payBody = z.strictObject({ token: z.string().min(1).max(ATTEMPT_TOKEN_MAX) })

/** This schema checks only the length of the address. The route checks the rest and can tell a browser the reason. */
export const payReceiptBody = z.strictObject({ email: z.string().max(EMAIL_MAX) })

/** `transactionId` is absent if another checkout attempt has paid or is paying. The caller may not see that payment. */
export const payAnswer = z.object({
  status: z
    .enum(['succeeded', 'requires_action', 'processing'])
    .describe('State of the payment; `requires_action`: the payer must go to `redirectUrl`'),
  transactionId: z
    .string()
    .optional()
    .describe('Only if the payment belongs to the checkout attempt that this browser or program made'),
  redirectUrl: z
    .string()
    .describe('Where the payer goes next: to the resultUrl, or to the page where they finish the payment'),
})

export const payStateAnswer = z.object({
  status: transactionState.describe('State of the payment'),
  transactionId: z.string(),
  reference: z.string(),
  successful: z
    .boolean()
    .describe('Whether the payment counts as paid. `resolution` decides if there is one, otherwise `status`'),
  needsReview: z
    .boolean()
    .describe(
      'This payment or another payment of the order is being checked manually, because the bank has reported no result, or something that does not match the payment. No further payment may be started',
    ),
  resolution: resolution.nullable().describe('What the operator decided after a review'),
  refunded: z.string().describe('How much of the payment was refunded'),
  redirectUrl: z.string(),
})

/** The status comes from the stored payment, never from the query. */
export const paySuccessfulAnswer = z.object({
  status: z
    .enum(['success', 'fail', 'cancel', 'pending'])
    .describe('`pending` also if the payment is not known'),
  transactionId: z.string().optional(),
})

/** A link that can be paid. POST /pay takes the token. */
export const payLinkAnswer = z.object({
  status: z.literal('ready').describe('The link can be used to pay'),
  merchant: z.string().describe('The name of the project'),
  amount: money,
  currency: z.string(),
  mode,
  token: z.string().describe(`For POST /pay; valid for ${ATTEMPT_TOKEN_MAX_AGE_MIN} minutes`),
})
