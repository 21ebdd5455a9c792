// /sdk/project/*: requests and responses.
import { z } from 'zod'
import { auditMoney, auditPayment, email } from './accounts.ts'
import { PROJECT_NAME_MAX, URL_LENGTH_MAX } from './limits.ts'
import { ROLES } from './permissions.ts'
import { projectId, time, visibleName } from './values.ts'

const name = visibleName(PROJECT_NAME_MAX).meta({ description: 'What payers read above the amount' })

/** The server checks further rules, and refuses a URL that breaks one with 422 `invalid_url`. */
const url = (description: string) =>
  z.string().meta({
    format: 'uri',
    maxLength: URL_LENGTH_MAX,
    description,
    examples: ['https://shop.example.com/pazar/callback'],
  })
const apiUrl = url("Where callbacks go: a public https URL, or the project's inbox")
const timeZone = z
  .string()
  .max(64)
  .meta({
    description: 'IANA name of the time zone in which statements count days',
    examples: ['Europe/Podgorica'],
  })
const testApiUrl = url(
  'Where test callbacks go: a public https URL. Without this URL, they go to a connected CLI or to apiUrl',
)

/** Events are shown and stored in this order. */
export const CALLBACK_EVENTS = [
  'payment.result',
  'refund.result',
  'dispute.opened',
  'dispute.closed',
] as const
export const callbackEvent = z.enum(CALLBACK_EVENTS)
export type CallbackEventName = z.infer<typeof callbackEvent>

/** `payment.result` is always sent. A project chooses the other events, because its server may not handle all. */
const events = z
  .array(callbackEvent)
  .refine((list) => list.includes('payment.result'), { params: { code: 'payment_result_required' } })
  .transform((list) => CALLBACK_EVENTS.filter((event) => list.includes(event)))
  .meta({
    description: 'Which callbacks are sent; payment.result is always among them',
    examples: [['payment.result', 'refund.result']],
  })

export const projectAddBody = z.strictObject({
  name,
  resultUrl: url('Where payers come back: any http or https page'),
  apiUrl,
  // Like null, an empty text means no test URL.
  testApiUrl: testApiUrl.nullish().transform((text) => text || (text === undefined ? undefined : null)),
  requireSignedLinks: z
    .boolean()
    .default(false)
    .describe("Only signed pay links are accepted; the portal's form sets true"),
  events: events.default(['payment.result']),
  timeZone: timeZone.optional(),
})

export const projectUpdateBody = z.strictObject({
  projectId,
  name: name.optional(),
  resultUrl: url('Where payers come back: a public https URL, or the URL that is already saved').optional(),
  apiUrl: apiUrl.optional(),
  testApiUrl: testApiUrl.nullish().transform((text) => text || (text === undefined ? undefined : null)),
  requireSignedLinks: z
    .boolean()
    .optional()
    .describe('Only signed pay links are accepted; if omitted: unchanged'),
  events: events.optional(),
  timeZone: timeZone.optional(),
})

export const emptyBody = z.strictObject({})
export const projectIdBody = z.strictObject({ projectId })
export const rotateSecretBody = projectIdBody.extend({
  useNext: z
    .boolean()
    .optional()
    .describe('Make the prepared secret the current one; if omitted or false: a new one is issued'),
})
export const projectIdParams = z.strictObject({ id: projectId.describe('The ID of the project') })

const role = z.enum(ROLES)

/** Null removes a field. An absent field stays unchanged. */
export const brandBody = z.strictObject({
  displayName: visibleName(PROJECT_NAME_MAX).nullish(),
  accent: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/)
    .transform((text) => text.toLowerCase())
    .nullish(),
  supportEmail: email.nullish(),
  website: z.string().nullish(),
})
export type BrandBody = z.infer<typeof brandBody>
export const logoAnswer = z.object({ logoUrl: z.string() })

const brand = z
  .object({
    displayName: z.string().nullable(),
    accent: z.string().nullable(),
    supportEmail: z.string().nullable(),
    website: z.string().nullable(),
    logoUrl: z.string().nullable(),
  })
  .describe('How the payer pages look: shown on test pages, and on live ones once the owner is verified')

export const project = z
  .object({
    id: projectId,
    name: z.string(),
    resultUrl: z.string(),
    apiUrl: z.string(),
    testApiUrl: z.string().nullable(),
    requireSignedLinks: z.boolean(),
    events: z.array(callbackEvent),
    timeZone,
    brand,
    role: role.describe("The caller's role in this project"),
    ownerVerified: z
      .boolean()
      .describe("Whether the operator has verified the owner's identity; live payments may need that"),
    archivedAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
    secretRotatedAt: time,
    testSecretRotatedAt: time,
  })
  .meta({ id: 'Project' })

export const projectList = z.object({
  projects: z.array(project),
  limit: z.int().describe('How many projects an account can own, not counting archived ones'),
})
export const secretAnswer = z.object({ secret: z.string() })
export const nextSecretAnswer = z.object({ secret: z.string(), preparedAt: time, expiresAt: time })
export const nextSecretState = z.object({
  next: z.object({ preparedAt: time, expiresAt: time }).nullable(),
})

export const projectHistory = z.object({
  items: z.array(
    z.object({
      at: time,
      action: z.string(),
      actor: z.string(),
      /** The e-mail of the account that acted. Null if no account acted, or if the account is closed or deleted. */
      person: z.string().nullable(),
      changes: z.record(z.string(), z.unknown()),
      money: auditMoney.nullable(),
      payment: auditPayment.nullable(),
    }),
  ),
  nextCursor: z.string().nullable(),
})

export type ProjectAddBody = z.infer<typeof projectAddBody>
export type ProjectUpdateBody = z.infer<typeof projectUpdateBody>
export type ProjectView = z.infer<typeof project>
export type RotateSecretBody = z.infer<typeof rotateSecretBody>
export type NextSecretState = z.infer<typeof nextSecretState>
export type NextSecretAnswer = z.infer<typeof nextSecretAnswer>
