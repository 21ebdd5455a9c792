// /portal/api account and session routes, used by the portal only.
import { z } from 'zod'
import { CURSOR_LIST_LIMIT_DEFAULT, EMAIL_MAX, LIST_LIMIT_MAX, PASSWORD_MAX, PASSWORD_MIN } from './limits.ts'
import { locale, mode, queryInt, time } from './values.ts'

const EMAIL_PATTERN = /^[^\s@"(),:;<>[\\\]]+@[^\s@"(),:;<>[\\\]]+\.[^\s@"(),:;<>[\\\]]+$/u

/** Slow for long texts, so the length is checked first. The domain must also be valid in DNS: no empty label, and none that begins or ends with a hyphen. */
function isEmail(text: string): boolean {
  const labels = text.slice(text.indexOf('@') + 1).split('.')
  return EMAIL_PATTERN.test(text) && labels.every((label) => label !== '' && !/^-|-$/.test(label))
}

export const email = z
  .string()
  .max(EMAIL_MAX, { abort: true })
  .refine(isEmail, { params: { code: 'invalid_email' } })

/** Counted in code points. A longer password is refused before hashing, so that it costs no work. */
export const newPassword = z
  .string()
  .refine((text) => [...text].length >= PASSWORD_MIN, { params: { code: 'too_short', min: PASSWORD_MIN } })
  .refine((text) => [...text].length <= PASSWORD_MAX, { params: { code: 'too_long', max: PASSWORD_MAX } })

/**
 * A password typed to sign in or to step up. Only an empty or too long one is refused, because older passwords may not
 * follow today's other rules.
 */
const typedPassword = z
  .string()
  .min(1)
  .refine((text) => [...text].length <= PASSWORD_MAX, { params: { code: 'too_long', max: PASSWORD_MAX } })

/** The maximum is longer than a recovery code typed with spaces. */
const typedCode = z.string().min(1).max(40)

export const secondFactor = z.enum(['totp', 'passkey', 'recovery'])
export type SecondFactor = z.infer<typeof secondFactor>

export const theme = z.enum(['system', 'light', 'dark'])

export const signUpBody = z.strictObject({
  email,
  password: newPassword,
  locale: locale.optional(),
  /** The token of a mailed invitation to a project, with which a person can sign up even where sign-up is closed. */
  invitation: z.string().min(1).max(200).optional(),
})
export const signInBody = z.strictObject({ email: z.string().min(1).max(EMAIL_MAX), password: typedPassword })
/** The password, or a code if the account has a second factor. */
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
/** The owner types the account's e-mail to confirm, because closing cannot be undone. */
export const closeAccountBody = z.strictObject({ email: z.string().min(1).max(EMAIL_MAX) })
export const tokenBody = z.strictObject({ token: z.string().min(1).max(200) })
export const revokeSessionBody = z.strictObject({ id: z.uuid().optional() })
export const auditTopic = z.enum(['payments', 'projects', 'account'])
export type AuditTopic = z.infer<typeof auditTopic>
export const auditQuery = z.strictObject({
  /** Limits the list to actions on payments, in projects, or on the account itself. */
  about: auditTopic.optional(),
  cursor: z.string().max(200).optional(),
  limit: queryInt(LIST_LIMIT_MAX).default(CURSOR_LIST_LIMIT_DEFAULT),
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
/** An account with a second factor gets the list of its factors, and no session yet. */
export const signInAnswer = z.union([accountAnswer, z.object({ secondFactor: z.array(secondFactor) })])
export const sessionAnswer = z.object({
  account,
  stepUpUntil: time.nullable(),
  stepUpWith: z.array(z.enum(['password', ...secondFactor.options])),
})
export const codeBody = z.strictObject({ code: typedCode })
export const totpState = z.object({
  enabledAt: time.nullable(),
  /** Whether the account has an authenticator app or a passkey. */
  hasSecondFactor: z.boolean(),
  recoveryCodesLeft: z.int(),
  /** The time after which all second factors are removed, as the operator was asked to do. Null: no removal is requested. */
  removedAfter: time.nullable(),
})
/** `uri` contains the secret, for authenticator apps. `qr` is the same as a QR code (SVG). */
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
/** The amount that an action moved, or else the amount of its payment. */
export const auditMoney = z.object({ amount: z.string(), currency: z.string(), scale: z.int().optional() })
/** The payment that an action was about, if the reader may see it. */
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
      /** The name of what the action was about: an API token, a passkey, a person or an address. */
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
