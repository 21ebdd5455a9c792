// /portal/api stats: one project over time, all projects today, the first steps of a new project, and
// reasons of failed callbacks.
import { z } from 'zod'
import { attemptOutcome } from './deliveries.ts'
import { callbackStatus, instant } from './transactions.ts'
import { mode, projectId, queryLang, signedSum, time } from './values.ts'

/** A sum can be zero. It can also be larger than the highest amount of one payment. */
const sum = z.string().regex(/^(?:0|[1-9][0-9]*)$/)
const rate = z
  .number()
  .nullable()
  .describe('Share of successful payments among completed ones. Null while no payment is completed')
const ms = z.int().nullable()

const takenBack = {
  refunds: z.int().describe('Refunds that succeeded in this period, including refunds of older payments'),
  refunded: signedSum.describe(
    'Sum of the refunds that succeeded in this period, minus the refunds whose money returned to the merchant in this period',
  ),
  disputes: z
    .int()
    .describe(
      'Disputes opened in this period, including disputes of older payments; inquiries are not counted',
    ),
  disputed: signedSum.describe(
    'What was withdrawn because of disputes, minus what was returned to the merchant for disputes that were won',
  ),
  net: signedSum.describe('volume − refunded − disputed'),
}

export const statsQuery = z.strictObject({
  from: instant
    .optional()
    .describe('Payments started at this time or later; if omitted: the last seven days, today included'),
  to: instant.optional().describe('Payments started before this time'),
  mode: mode.default('live'),
  lang: queryLang,
})

export const stats = z.object({
  bucket: z.enum(['hour', 'day']),
  volume: sum.describe('Sum of the successful payments'),
  ...takenBack,
  count: z.int().describe('All payments started, including those still open'),
  succeeded: z.int(),
  failed: z.int().describe('Failed or expired'),
  inReview: z
    .int()
    .describe(
      'Payments that failed or expired and are in review. Until the decision, they count neither as succeeded nor as failed',
    ),
  successRate: rate,
  callbackMs: z.object({ p50: ms, p95: ms }).describe('Response time of delivered callbacks'),
  series: z.array(
    z.object({
      at: time.describe('When the hour or the day begins'),
      volume: sum,
      ...takenBack,
      count: z.int(),
      succeeded: z.int(),
      failed: z.int(),
      callbackP50Ms: ms,
    }),
  ),
})

export const projectsToday = z.object({
  projects: z.array(
    z.object({
      projectId,
      volume: sum,
      succeeded: z.int(),
      failed: z.int(),
      successRate: rate,
      /** `attempts` distinguishes a pending first attempt from a pending retry. */
      lastCallback: z.object({ status: callbackStatus, attempts: z.int(), at: time }).nullable(),
    }),
  ),
})

export const firstSteps = z.object({
  payment: z.boolean(),
  callback: z.boolean(),
  signature: z.boolean(),
  live: z.boolean(),
})

export const failuresQuery = z.strictObject({ mode: mode.default('live'), lang: queryLang })

export const failures = z.object({
  since: time,
  count: z.int(),
  isExact: z.boolean().describe('False when there are more failures than `count`'),
  causes: z.array(
    z.object({
      outcome: attemptOutcome,
      statusCode: z.int().nullable(),
      count: z.int(),
      cause: z.string(),
      fix: z.string(),
      last: z.object({ callbackId: z.string(), at: time }),
    }),
  ),
})

export type StatsQuery = z.infer<typeof statsQuery>
export type StatsView = z.infer<typeof stats>
export type ProjectsTodayView = z.infer<typeof projectsToday>
export type FirstStepsView = z.infer<typeof firstSteps>
export type FailuresView = z.infer<typeof failures>
