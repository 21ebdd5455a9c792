// Bodies and answers of the /portal/api routes for the members of a project, invitations and transfers.
import { z } from 'zod'
import { email } from './accounts.ts'
import { MAIL_TOPICS, MEMBER_ROLES, ROLES } from './permissions.ts'
import { time } from './values.ts'

export const memberRole = z.enum(MEMBER_ROLES)
const mailTopic = z.enum(MAIL_TOPICS)

export const inviteBody = z.strictObject({ email, role: memberRole })
export const memberBody = z.strictObject({ email })
/**
 * `state` is what the caller's list showed for the address: a member (`active`) or an invitation (`invited`). If that has
 * changed since, the request is refused.
 */
export const removeMemberBody = z.strictObject({ email, state: z.enum(['active', 'invited']).optional() })
export const memberRoleBody = removeMemberBody.extend({ role: memberRole })
export const memberMailsBody = z.strictObject({ mails: z.array(mailTopic).max(MAIL_TOPICS.length) })

const transfer = z.object({
  to: z.string(),
  /** Whether the reader can accept the transfer. */
  isToYou: z.boolean(),
  requestedAt: time,
  /** Until when the transfer can be accepted. */
  expiresAt: time,
  /** Null until the transfer is accepted. */
  takesEffectAt: time.nullable(),
})

/** What the person who opens the invitation link sees. A cancelled, replaced or used invitation shows only its state. */
export const invitationAnswer = z.discriminatedUnion('state', [
  z.object({
    state: z.enum(['open', 'expired']),
    project: z.string(),
    role: memberRole,
    /** Null: the sender has not confirmed their address. */
    invitedBy: z.string().nullable(),
    /** Only the account with this address can accept the invitation. */
    email: z.string(),
    expiresAt: time,
  }),
  z.object({ state: z.enum(['accepted', 'ended']) }),
])

export const memberList = z.object({
  members: z.array(
    z.object({
      email: z.string(),
      role: z.enum(ROLES),
      state: z.enum(['active', 'invited']),
      since: time,
      mails: z.array(mailTopic),
      /** Whether the person has seen the current live secret, or the secret that is prepared to replace it. */
      knowsSecret: z.boolean(),
    }),
  ),
  transfer: transfer.nullable(),
})

export type InvitationView = z.infer<typeof invitationAnswer>
export type MemberList = z.infer<typeof memberList>
export type TransferView = z.infer<typeof transfer>
export type MemberView = z.infer<typeof memberList>['members'][number]
