// /portal/api routes for accounts and sessions.
import { z } from 'zod'
import { CURSOR_LIST_LIMIT_DEFAULT, EMAIL_MAX, LIST_LIMIT_MAX, PASSWORD_MAX, PASSWORD_MIN } from './limits.ts'
import { locale, mode, queryInt, queryLang, time } from './values.ts'

const EMAIL_PATTERN = /^[^\s@"(),:;<>[\\\]]+@[^\s@"(),:;<>[\\\]]+\.[^\s@"(),:;<>[\\\]]+$/u

/** The pattern is slow for long texts, so `email` checks the length first. */
function isEmail(text: string): boolean {
  const labels = text.slice(text.indexOf('@') + 1).split('.')
  return EMAIL_PATTERN.test(text) && labels.every((label) => label !== '' && !/^-|-$/.test(label))
}

export const email = z
  .string()
  .max(EMAIL_MAX, { abort: true })
  .refine(isEmail, { params: { code: 'invalid_email' } })

export const newPassword = z
  .string()
  .refine((text) => [...text].length >= PASSWORD_MIN, { params: { code: 'too_short', min: PASSWORD_MIN } })
  .refine((text) => [...text].length <= PASSWORD_MAX, { params: { code: 'too_long', max: PASSWORD_MAX } })

/** An older password may be shorter than PASSWORD_MIN. */
const typedPassword = z
  .string()
  .min(1)
  .refine((text) => [...text].length <= PASSWORD_MAX, { params: { code: 'too_long', max: PASSWORD_MAX } })

/** Long enough for a recovery code typed with spaces. */
const typedCode = z.string().min(1).max(40)

const secondFactor = z.enum(['totp', 'passkey', 'recovery'])
export type SecondFactor = z.infer<typeof secondFactor>

const theme = z.enum(['system', 'light', 'dark'])

export const signUpBody = z.strictObject({
  email,
  password: newPassword,
  locale: locale.optional(),
  /** The token of a mailed invitation to a project. With it, a person can sign up even where sign-up is closed. */
  invitation: z.string().min(1).max(200).optional(),
})
export const signInBody = z.strictObject({ email: z.string().min(1).max(EMAIL_MAX), password: typedPassword })
export const stepUpBody = z
  .strictObject({ password: typedPassword.optional(), code: typedCode.optional() })
  .refine(({ password, code }) => password !== undefined || code !== undefined, {
    path: ['password'],
    params: { code: 'required' },
  })
  .refine(({ password, code }) => password === undefined || code === undefined, {
    path: ['code'],
    params: { code: 'password_or_code' },
  })
export const accountBody = z.strictObject({
  locale: locale.optional(),
  timeZone: z.string().max(64).optional(),
  theme: theme.optional(),
})
export const passwordBody = z.strictObject({
  password: newPassword,
  revokeTokens: z.boolean().default(false).describe('Also revoke all API tokens of the account'),
})
export const forgotBody = z.strictObject({ email })
export const resetBody = z.strictObject({ token: z.string().min(1).max(200), password: newPassword })
export const emailBody = z.strictObject({ email })
/** The owner of the account types its e-mail address to confirm that the account is to be closed. */
export const closeAccountBody = z.strictObject({ email: z.string().min(1).max(EMAIL_MAX) })
export const tokenBody = z.strictObject({ token: z.string().min(1).max(200) })
export const revokeSessionBody = z.strictObject({ id: z.uuid().optional() })
const auditTopic = z.enum(['payments', 'projects', 'account'])
export type AuditTopic = z.infer<typeof auditTopic>
export const auditQuery = z.strictObject({
  about: auditTopic.optional(),
  cursor: z.string().max(200).optional(),
  limit: queryInt(LIST_LIMIT_MAX).default(CURSOR_LIST_LIMIT_DEFAULT),
  lang: queryLang,
})

export const account = z
  .object({
    id: z.string(),
    email: z.string(),
    emailConfirmed: z.boolean(),
    locale,
    timeZone: z.string(),
    theme,
    kyc: z.enum(['none', 'verified']),
  })
  .meta({ id: 'Account' })

export const accountAnswer = z.object({ account })
/** If the account has a second factor, the response lists its factors and starts no session. */
export const signInAnswer = z.union([accountAnswer, z.object({ secondFactor: z.array(secondFactor) })])
export const sessionAnswer = z.object({
  account,
  stepUpUntil: time.nullable(),
  stepUpWith: z.array(z.enum(['password', ...secondFactor.options])),
})
export const codeBody = z.strictObject({ code: typedCode })
export const totpState = z.object({
  enabledAt: time.nullable(),
  hasSecondFactor: z.boolean(),
  recoveryCodesLeft: z.int(),
  /** When all second factors will be removed, as an operator has requested. Null: no removal is planned. */
  removedAfter: time.nullable(),
})
/** `qr` is the `uri` as an SVG of a QR code. */
export const totpOffer = z.object({ secret: z.string(), uri: z.string(), qr: z.string() })
export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
export const stepUpAnswer = z.object({ until: time })
export const sessionList = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      current: z.boolean(),
      createdAt: time,
      lastSeenAt: time,
      ip: z.string(),
      userAgent: z.string(),
    }),
  ),
})
export const deviceList = z.object({
  devices: z.array(z.object({ current: z.boolean(), createdAt: time, lastUsedAt: time })),
})
export const revokedAnswer = z.object({ count: z.int() })
/** The amount that an action moved. If it moved no money: the amount of the payment that it was about. */
export const auditMoney = z.object({ amount: z.string(), currency: z.string(), scale: z.int().optional() })
/** The payment that an action was about. Null if there is none, or if the reader may not see it. */
export const auditPayment = z.object({
  id: z.string(),
  mode,
  customId: z.string().nullable(),
  data: z.string().nullable(),
})
export type AuditMoney = z.infer<typeof auditMoney>
export type AuditPayment = z.infer<typeof auditPayment>
export const auditList = z.object({
  items: z.array(
    z.object({
      at: time,
      action: z.string(),
      /** The name of the thing or person that the action was about, for example of an API token. */
      subject: z.string().nullable(),
      money: auditMoney.nullable(),
      payment: auditPayment.nullable(),
      projectId: z.string().nullable(),
      actor: z.string(),
      ip: z.string().nullable(),
      userAgent: z.string().nullable(),
    }),
  ),
  nextCursor: z.string().nullable(),
})

export type AccountView = z.infer<typeof account>
