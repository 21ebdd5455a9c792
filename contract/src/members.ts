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
export const memberMailsBody = z.strictObject({ mails: z.array(mailTopic).max(MAIL_TOPICS.length) })

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
})

export type MemberView = z.infer<typeof memberList>['members'][number]
