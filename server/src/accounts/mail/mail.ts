// The kinds of mail and the facts in each. The texts are in the catalogue under the same names.
import { z } from 'zod'
import { CONFIRM_LINK_MAX_HOURS, disputeState, memberRole, mode, RESET_LINK_MAX_HOURS } from '@pazar/contract'
import { FACTOR_CHANGES, TRANSFER_STAGES } from '@pazar/words'
import type { MailKind } from '@pazar/words'
import { INCIDENT_KINDS } from '../../lib/incident-kind.ts'

export type LinkMailKind = 'confirm_email' | 'confirm_new_email' | 'reset_password'
export type DeliveryMailKind = 'deliveries_failing' | 'deliveries_exhausted' | 'deliveries_healed'
export type DisputeMailKind = 'dispute_opened' | 'dispute_closed'
export type NoticeKind = Exclude<
  MailKind,
  | LinkMailKind
  | DeliveryMailKind
  | DisputeMailKind
  | 'restored'
  | 'incident'
  | 'account_closed'
  | 'project_invitation'
  | 'receipt'
  | 'factor_reset'
  | 'ownership_transfer'
>

export const LINK_LIFETIME_HOURS: Record<LinkMailKind, number> = {
  confirm_email: CONFIRM_LINK_MAX_HOURS,
  confirm_new_email: CONFIRM_LINK_MAX_HOURS,
  reset_password: RESET_LINK_MAX_HOURS,
}

const actionFields = { at: z.iso.datetime(), timeZone: z.string(), ip: z.string(), userAgent: z.string() }
/** `by`: the person who acted, if that is not the recipient. */
const projectActionFields = {
  ...actionFields,
  project: z.string(),
  projectId: z.string().optional(),
  by: z.string().optional(),
}
const deliveryFields = {
  at: z.iso.datetime(),
  timeZone: z.string(),
  project: z.string(),
  projectId: z.string(),
  count: z.int(),
  isOperator: z.boolean().optional(),
}
/** `cause` and `fix` are texts in the recipient's language. */
const failureFields = { ...deliveryFields, cause: z.string(), fix: z.string() }
const incidentReference = { number: z.int(), transactionId: z.string().nullable() }
const urlField = z.enum(['resultUrl', 'apiUrl', 'testApiUrl'])

/** Mails that an earlier release queued lack some fields. So these fields are optional or have a default. */
export const storedMail = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['confirm_email', 'confirm_new_email']) }),
  // The operator's invitation has this kind too, because a process of an earlier release could not send a new kind.
  z.object({ kind: z.literal('reset_password'), isInvitation: z.boolean().default(false) }),
  z.object({ kind: z.enum(['password_changed', 'new_device']), ...actionFields }),
  // `newEmail` is masked, for example `m•••@example.com`.
  z.object({ kind: z.literal('email_change_notice'), ...actionFields, newEmail: z.string().nullish() }),
  z.object({
    kind: z.literal('factor_changed'),
    ...actionFields,
    change: z.enum(FACTOR_CHANGES),
    name: z.string().nullish(),
    former: z.string().nullish(),
    left: z.int().nullish(),
    isLast: z.boolean().nullish(),
  }),
  z.object({
    kind: z.literal('factor_reset'),
    stage: z.enum(['requested', 'done']),
    at: z.iso.datetime(),
    dueAt: z.iso.datetime().nullable(),
    timeZone: z.string(),
  }),
  z.object({ kind: z.literal('account_closed'), at: z.iso.datetime(), timeZone: z.string() }),
  z.object({
    kind: z.enum(['secret_revealed', 'secret_prepared', 'project_deleted']),
    ...projectActionFields,
  }),
  z.object({
    kind: z.literal('project_invitation'),
    project: z.string(),
    by: z.string().nullable(),
    role: memberRole,
  }),
  z.object({
    kind: z.literal('member_changed'),
    ...projectActionFields,
    member: z.string(),
    change: z.enum(['joined', 'left', 'removed', 'role']),
    role: memberRole,
  }),
  z.object({
    kind: z.literal('member_email_changed'),
    ...projectActionFields,
    member: z.string(),
    formerEmail: z.string(),
  }),
  z.object({
    kind: z.literal('membership_changed'),
    ...projectActionFields,
    change: z.enum(['removed', 'role']),
    role: memberRole,
  }),
  z.object({
    kind: z.literal('ownership_transfer'),
    stage: z.enum(TRANSFER_STAGES),
    reader: z.enum(['owner', 'receiver', 'member']).default('member'),
    at: z.iso.datetime(),
    timeZone: z.string(),
    project: z.string(),
    projectId: z.string(),
    from: z.string(),
    to: z.string(),
    dueAt: z.iso.datetime().nullable(),
    // Absent when no request about the transfer caused the mail, for example when the offer expired.
    ip: z.string().optional(),
    userAgent: z.string().optional(),
  }),
  z.object({
    kind: z.literal('refund_token_used'),
    ...projectActionFields,
    token: z.string(),
    transactionId: z.string().optional(),
    mode: mode.optional(),
    amount: z.string().nullish(),
    dailyCap: z.string().nullish(),
    currency: z.string().optional(),
    scale: z.int().optional(),
    reference: z.string().nullish(),
    // The order is erased once the mail is sent or given up, because it may name the payer.
    order: z.string().nullish(),
  }),
  z.object({ kind: z.literal('secret_rotated'), ...projectActionFields, mode }),
  z.object({
    kind: z.literal('url_changed'),
    ...projectActionFields,
    fields: z.array(urlField).optional(),
    urls: z
      .array(z.object({ field: urlField, from: z.string().nullable(), to: z.string().nullable() }))
      .optional(),
  }),
  z.object({
    kind: z.literal('live_settings_changed'),
    ...projectActionFields,
    requireSignedLinks: z.boolean().optional(),
    events: z.array(z.string()).optional(),
  }),
  z.object({ kind: z.literal('deliveries_failing'), ...failureFields, since: z.iso.datetime() }),
  z.object({ kind: z.literal('deliveries_exhausted'), ...failureFields }),
  z.object({ kind: z.literal('deliveries_healed'), ...deliveryFields, givenUp: z.int().default(0) }),
  z.object({
    kind: z.enum(['dispute_opened', 'dispute_closed']),
    reader: z.enum(['merchant', 'operator', 'operator_alone']).default('merchant'),
    at: z.iso.datetime(),
    timeZone: z.string(),
    project: z.string(),
    projectId: z.string(),
    transactionId: z.string(),
    mode,
    state: disputeState,
    amount: z.string(),
    currency: z.string(),
    scale: z.int(),
    respondBy: z.iso.datetime().nullable(),
    reference: z.string().nullable().default(null),
    // The order is erased once the mail is sent or given up, because it may name the payer.
    order: z.string().nullable().default(null),
    // The payer's reason for the dispute, as the upstream's code.
    reason: z.string().nullish(),
    // For a closed dispute: whether the amount had been withdrawn.
    wasWithdrawn: z.boolean().nullish(),
    // Whether some or all of the payment had been refunded.
    wasRefunded: z.boolean().nullish(),
  }),
  z.object({
    kind: z.literal('receipt'),
    at: z.iso.datetime(),
    timeZone: z.string(),
    merchant: z.string(),
    amount: z.string(),
    currency: z.string(),
    scale: z.int(),
    description: z.string().nullable(),
    order: z.string().nullable(),
    reference: z.string(),
    transactionId: z.string().optional(),
    /** The contacts of the merchant's brand. */
    supportEmail: z.string().nullable().default(null),
    website: z.string().nullable().default(null),
    /** What was returned, or was being refunded, when the mail was requested. Null if nothing was. */
    moneyBack: z
      .object({
        refunded: z.string(),
        byBank: z.string(),
        refunding: z.string(),
        net: z.string(),
        refundedAt: z.iso.datetime().nullish(),
        byBankAt: z.iso.datetime().nullish(),
      })
      .nullable()
      .default(null),
  }),
  z.object({ kind: z.literal('restored'), at: z.iso.datetime(), timeZone: z.string() }),
  z.object({
    kind: z.literal('incident'),
    at: z.iso.datetime(),
    timeZone: z.string(),
    ...incidentReference,
    what: z.enum(INCIDENT_KINDS),
    others: z.array(z.object(incidentReference)).default([]),
    count: z.int().default(1),
  }),
])

export type StoredMail = z.infer<typeof storedMail>
export type DisputeMail = Extract<StoredMail, { kind: DisputeMailKind }>
export type ReceiptMail = Extract<StoredMail, { kind: 'receipt' }>
export type TransferMail = Extract<StoredMail, { kind: 'ownership_transfer' }>
export type DeliveryMail = Extract<StoredMail, { kind: DeliveryMailKind }>
