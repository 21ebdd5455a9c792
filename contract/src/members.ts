// /portal/api/projects/{id}/members and invitations: the people of a project.
import { z } from 'zod'
import { email } from './accounts.ts'
import { MAIL_TOPICS, MEMBER_ROLES, ROLES } from './permissions.ts'
import { time } from './values.ts'

export const memberRole = z.enum(MEMBER_ROLES)
const mailTopic = z.enum(MAIL_TOPICS)

export const inviteBody = z.strictObject({ email, role: memberRole })
export const memberRoleBody = z.strictObject({ email, role: memberRole })
export const memberBody = z.strictObject({ email })
/** With `state` only a member or only an invitation of this address is removed, as the caller has seen it. */
export const removeMemberBody = z.strictObject({ email, state: z.enum(['active', 'invited']).optional() })
export const memberMailsBody = z.strictObject({ mails: z.array(mailTopic).max(MAIL_TOPICS.length) })

/** A transfer of ownership that the owner has offered, or that the other side has accepted. */
const transfer = z.object({
  to: z.string(),
  /** Whether the reader is the one who can accept it. */
  isToYou: z.boolean(),
  requestedAt: time,
  /** Until then it can be accepted. */
  expiresAt: time,
  /** Null until it is accepted. */
  takesEffectAt: time.nullable(),
})

/** An invitation as the person with its link sees it. One that was cancelled, replaced or used names nothing. */
export const invitationAnswer = z.discriminatedUnion('state', [
  z.object({
    state: z.enum(['open', 'expired']),
    project: z.string(),
    role: memberRole,
    invitedBy: z.string(),
    /** The address that it was sent to, which alone can accept it. */
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
      /** What they get mails about; empty for an invitation. */
      mails: z.array(mailTopic),
      /** Whether they have seen the live secret that is in use. */
      knowsSecret: z.boolean(),
    }),
  ),
  transfer: transfer.nullable(),
})

export type InvitationView = z.infer<typeof invitationAnswer>
export type MemberList = z.infer<typeof memberList>
export type TransferView = z.infer<typeof transfer>
export type MemberView = z.infer<typeof memberList>['members'][number]
