// /portal/api/projects/{id}/members and invitations: the people of a project.
import { z } from 'zod'
import { email } from './accounts.ts'
import { MAIL_TOPICS, MEMBER_ROLES, ROLES } from './permissions.ts'
import { time } from './values.ts'

export const memberRole = z.enum(MEMBER_ROLES)
const mailTopic = z.enum(MAIL_TOPICS)

export const inviteBody = z.strictObject({ email, role: memberRole })
export const memberBody = z.strictObject({ email })
/** With `state`, only a member (`active`) or only an invitation (`invited`) of this address is changed or removed. */
export const removeMemberBody = z.strictObject({ email, state: z.enum(['active', 'invited']).optional() })
export const memberRoleBody = removeMemberBody.extend({ role: memberRole })
export const memberMailsBody = z.strictObject({ mails: z.array(mailTopic).max(MAIL_TOPICS.length) })

/** A transfer of ownership that the owner has offered, or that the other side has accepted. */
const transfer = z.object({
  to: z.string(),
  /** Whether the reader is the person who can accept the transfer. */
  isToYou: z.boolean(),
  requestedAt: time,
  /** The transfer can be accepted until then. */
  expiresAt: time,
  /** Null until it is accepted. */
  takesEffectAt: time.nullable(),
})

/** An invitation as the person with its link sees it. A cancelled, replaced or used one shows only its state. */
export const invitationAnswer = z.discriminatedUnion('state', [
  z.object({
    state: z.enum(['open', 'expired']),
    project: z.string(),
    role: memberRole,
    invitedBy: z.string(),
    /** The address that the invitation was sent to. Only the account with this address can accept it. */
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
      /** The topics that the person gets mails about; empty for an invitation. */
      mails: z.array(mailTopic),
      /** Whether the person has seen the current live secret. */
      knowsSecret: z.boolean(),
    }),
  ),
  transfer: transfer.nullable(),
})

export type InvitationView = z.infer<typeof invitationAnswer>
export type MemberList = z.infer<typeof memberList>
export type TransferView = z.infer<typeof transfer>
export type MemberView = z.infer<typeof memberList>['members'][number]
