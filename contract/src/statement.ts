// /portal/api statement: what one project was paid in a month, by day in the project's time zone. Without fees.
import { z } from 'zod'
import { mode, scale, signedSum } from './values.ts'

/** The type decides the sign of the amount. */
export const LEDGER_ENTRY_TYPES = [
  'payment',
  'payment_reversed',
  'refund',
  'refund_returned',
  'dispute',
  'dispute_won',
] as const
export type LedgerEntryType = (typeof LEDGER_ENTRY_TYPES)[number]

export const STATEMENT_MONTH_PATTERN = /^2[0-9]{3}-(?:0[1-9]|1[0-2])$/

export const statementQuery = z.strictObject({
  month: z
    .string()
    .refine((text) => STATEMENT_MONTH_PATTERN.test(text), { params: { code: 'month' } })
    .meta({
      pattern: STATEMENT_MONTH_PATTERN.source,
      examples: ['2026-11'],
      description: 'Year and month',
    }),
  format: z
    .enum(['json', 'csv'])
    .default('json')
    .describe('`csv`: the entries behind the sums, one per line'),
  mode: mode.default('live'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional()
    .describe(
      'For a month in which the currency was changed; if omitted: the current one, if the month has it',
    ),
  /** Listed because the schema is strict. The server reads `lang` elsewhere. */
  lang: z.string().optional(),
})

const sums = {
  payments: z.int().describe('How many payments succeeded, less those that were later decided to be unpaid'),
  gross: signedSum.describe('Sum of these payments'),
  refunds: signedSum.describe('Sum of the refunds that succeeded'),
  returned: signedSum.describe(
    'Sum of the refunds whose money returned to the merchant after they had succeeded',
  ),
  disputes: signedSum.describe(
    'Withdrawn because of disputes, less what was returned to the merchant for disputes that were won',
  ),
  net: signedSum.describe('gross − refunds + returned − disputes'),
}

export const statement = z
  .object({
    month: z.string(),
    timeZone: z.string().describe("The project's time zone, in which the days are counted"),
    currency: z.string(),
    scale,
    days: z.array(z.object({ date: z.string().describe('Year, month and day'), ...sums })),
    totals: z.object(sums),
  })
  .meta({ id: 'Statement' })

/** The columns of the CSV. The same in every language. */
export const STATEMENT_COLUMNS = [
  'at',
  'type',
  'amount',
  'transactionId',
  'refundId',
  'upstreamRef',
  'date',
  'disputeId',
  'currency',
  'amountDecimal',
] as const

export type StatementQuery = z.infer<typeof statementQuery>
export type StatementView = z.infer<typeof statement>
