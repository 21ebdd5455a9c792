// /portal/api statement: what one project was paid in a month, by day in the project's time zone. No fees are deducted.
import { z } from 'zod'
import { mode, queryLang, scale, signedSum } from './values.ts'

/** The type decides the sign of the amount. */
export type LedgerEntryType =
  | 'payment'
  | 'payment_reversed'
  | 'refund'
  | 'refund_returned'
  | 'dispute'
  | 'dispute_won'

const STATEMENT_MONTH_PATTERN = /^2[0-9]{3}-(?:0[1-9]|1[0-2])$/

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
      'The currency of the statement, for a month with entries in several currencies. If omitted: the current currency, or the last currency of the month if all its entries are in other currencies',
    ),
  lang: queryLang,
})

const sums = {
  payments: z
    .int()
    .describe(
      'How many payments succeeded or were decided to be paid, less those that were later decided to be unpaid',
    ),
  gross: signedSum.describe('Sum of these payments'),
  refunds: signedSum.describe('Sum of the refunds that succeeded, of payments that count as paid'),
  returned: signedSum.describe(
    'Sum of the successful refunds whose money later returned to the merchant, or whose payment was decided to be unpaid',
  ),
  disputes: signedSum.describe(
    'What was withdrawn because of disputes, minus what was returned to the merchant for disputes that were won, and for disputes of payments that were decided to be unpaid',
  ),
  net: signedSum.describe('gross − refunds + returned − disputes'),
}

export const statement = z
  .object({
    month: z.string(),
    timeZone: z
      .string()
      .describe(
        "The project's current time zone. Each entry belongs to the day on which it was recorded, in the zone that the project had then",
      ),
    currency: z.string(),
    scale,
    currencies: z
      .array(z.string())
      .describe(
        'The currencies of the entries of the month, sorted. Several if the currency was changed. Each has a statement of its own: see the parameter `currency`',
      ),
    days: z.array(z.object({ date: z.string().describe('Year, month and day'), ...sums })),
    totals: z.object(sums),
  })
  .meta({ id: 'Statement' })

/** The columns of the CSV have the same names in every language. */
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
