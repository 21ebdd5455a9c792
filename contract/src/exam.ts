// The routes `exam` and `verify-signature` of /portal/api: the integration exam and the signature debugger.
import { z } from 'zod'
import { EXAM_REQUESTS } from './exam-requests.ts'
import { callbackEvent } from './projects.ts'
import { mode } from './values.ts'

export const EXAM_ORDER_PREFIX = 'exam-'
export const EXAM_AMOUNT = '1500'

const examRequestName = z.enum(EXAM_REQUESTS)
/** `in_time` is not a request. It says whether all responses came in time. */
const examScenarioName = z.enum([...EXAM_REQUESTS, 'in_time'])

/** How many characters of a response the caller may report. The reports of all responses usually fit into one body. */
const EXAM_ANSWER_LENGTH_MAX = 1024

/** The response to a request that the caller sent itself. */
const callerAnswer = z.strictObject({
  name: examRequestName,
  statusCode: z.int().min(100).max(599).nullable().describe('Null when there was no response'),
  durationMs: z.int().min(0).max(600_000),
  error: z.enum(['timeout', 'connect']).optional().describe('Why there was no response'),
  body: z.string().max(EXAM_ANSWER_LENGTH_MAX).optional().describe('How the response begins'),
})

export const examBody = z.strictObject({
  confirm: z
    .boolean()
    .optional()
    .describe(
      'Must be true if `testApiUrl` is not set or equals `apiUrl`, because the requests then go to `apiUrl`',
    ),
  deliver: z
    .enum(['service', 'caller'])
    .optional()
    .describe(
      'caller: the signed requests are returned, and the caller sends them to a machine the service cannot reach',
    ),
  answers: z
    .array(callerAnswer)
    .min(1)
    .max(EXAM_REQUESTS.length)
    .optional()
    .describe(
      'The responses to the requests that `deliver: caller` returned. The service then returns the report',
    ),
  order: z
    .string()
    .regex(new RegExp(`^${EXAM_ORDER_PREFIX}[0-9a-f]{8}-good$`))
    .optional()
    .describe(
      'Only with `answers`: the customId of the first request, so that the report can name the order',
    ),
})

const examReport = z.object({
  target: z
    .object({ url: z.string(), live: z.boolean().describe('Whether `url` is the live callback URL') })
    .nullable()
    .describe('Null when the caller sent the requests'),
  passed: z.int(),
  failed: z.int(),
  scenarios: z.array(
    z.object({
      name: examScenarioName,
      title: z.string(),
      passed: z.boolean(),
      sent: z.boolean().optional().describe('False when the exam ended before this request'),
      expected: z.string(),
      got: z.string(),
      fix: z.string().nullable().describe('Null when passed'),
      answer: z
        .string()
        .nullable()
        .describe("Beginning of the merchant's response, without secrets and signatures"),
    }),
  ),
})

/**
 * The caller must send the requests one after another, in this order and within five minutes. Merchants refuse older
 * signatures.
 */
const examRequests = z.object({
  requests: z.array(
    z.object({
      name: examRequestName,
      title: z.string(),
      expects: z.enum(['accepted', 'refused']).describe('accepted: with a 2xx; refused: with a 4xx'),
      expected: z.string(),
      method: z.literal('POST'),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
    }),
  ),
})

export const examAnswer = z.union([examReport, examRequests])

const HEADERS_MAX = 100
const HEADER_LENGTH_MAX = 4096

const headerValue = z.string().max(HEADER_LENGTH_MAX)
export const verifySignatureBody = z.strictObject({
  headers: z
    .record(z.string().max(200), z.union([headerValue, z.array(headerValue).max(10)]))
    .refine((headers) => Object.keys(headers).length <= HEADERS_MAX, {
      params: { code: 'too_large', max: HEADERS_MAX },
    }),
  body: z.string().describe('The raw body, exactly as it came'),
  mode,
})

export const signatureProblem = z.enum([
  'missing_header',
  'repeated_header',
  'id_unreadable',
  'id_changed',
  'timestamp_milliseconds',
  'timestamp_unreadable',
  'timestamp_changed',
  'timestamp_stale',
  'timestamp_early',
  'signature_no_version',
  'signature_base64url',
  'signature_hex',
  'signature_base64_of_hex',
  'signature_not_canonical',
  'signature_unreadable',
  'signature_of_another',
  'wrong_mode',
  'wrong_secret',
  'secret_without_prefix',
  'body_empty',
  'body_line_break',
  'body_encoding',
  'body_rewritten',
  'body_changed',
  'body_not_json',
  'not_a_callback',
  'event_unknown',
  'event_fields',
  'wrong_label',
  'wrong_project',
  'hash_missing',
  'hash_changed',
  'hash_of_another_body',
])

export const verifySignatureAnswer = z.object({
  event: callbackEvent
    .nullable()
    .describe('The event that the body names; null if it is not one of our events'),
  eventText: z.string().nullable().describe('What that event means'),
  matches: z.boolean().describe('Whether correct merchant code would accept this request now'),
  problems: z.array(
    z.object({
      code: signatureProblem,
      text: z.string(),
      fix: z.string(),
    }),
  ),
})

export type ExamBody = z.infer<typeof examBody>
export type ExamScenarioName = z.infer<typeof examScenarioName>
export type ExamReport = z.infer<typeof examReport>
export type ExamRequests = z.infer<typeof examRequests>
export type VerifySignatureBody = z.infer<typeof verifySignatureBody>
export type VerifySignatureAnswer = z.infer<typeof verifySignatureAnswer>
export type SignatureProblem = z.infer<typeof signatureProblem>
