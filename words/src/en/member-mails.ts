// Mails about the people of a project.
import { INVITATION_MAX_DAYS } from '@pazar/contract/limits'
import type { MailText, MemberChange, ProjectHappening } from '../mail-facts.ts'
import type { MemberRole } from '@pazar/contract'

export const ROLE_NAMES: Record<MemberRole | 'owner', string> = {
  owner: 'owner',
  admin: 'admin',
  developer: 'developer',
  finance: 'finance',
  support: 'support',
}

const details = ({ project, when, ip, browser, by }: ProjectHappening) => [
  `Project: ${project}`,
  ...(by === undefined ? [] : [`By: ${by}`]),
  `Time: ${when}`,
  `IP address: ${ip}`,
  `Browser: ${browser}`,
]

const CHANGES: Record<MemberChange, (member: string, role: string) => string> = {
  joined: (member, role) =>
    `${member} accepted an invitation and is now a member of the project. Role: ${role}.`,
  left: (member) => `${member} left the project and no longer has access to it.`,
  removed: (member) => `${member} was removed from the project and no longer has access to it.`,
  role: (member, role) => `The role of ${member} has changed. New role: ${role}.`,
}

const WHY = 'You receive this message because you work on this project.'
const WHY_REMOVED = 'You receive this message because you were a member of this project.'

export const memberMails = {
  project_invitation: (facts: { project: string; by: string; role: MemberRole }): MailText => ({
    subject: `Invitation to the project ${facts.project}`,
    heading: 'You are invited to a project',
    paragraphs: [
      `${facts.by} invites you to work on the project “${facts.project}”. Role: ${ROLE_NAMES[facts.role]}.`,
      `The link is valid for ${INVITATION_MAX_DAYS} days, works once, and only for an account with this address. If you have none, you can create one.`,
    ],
    action: 'Open the invitation',
    advice: 'If you do not know the sender, ignore this message. Nothing happens until you accept.',
    why: 'You receive this message because somebody entered your address. We have not stored it for anything else.',
  }),

  member_changed: (
    facts: ProjectHappening & { member: string; change: MemberChange; role: MemberRole },
  ): MailText => ({
    subject: `The members of your project have changed: ${facts.project}`,
    heading: 'The members of your project have changed',
    paragraphs: [CHANGES[facts.change](facts.member, ROLE_NAMES[facts.role])],
    details: details(facts),
    advice: 'If you did not expect this, open the project’s Members page and correct it.',
    why: WHY,
  }),

  membership_changed: (
    facts: ProjectHappening & { change: 'removed' | 'role'; role: MemberRole },
  ): MailText => ({
    subject: `Your access to a project has changed: ${facts.project}`,
    heading: 'Your access to a project has changed',
    paragraphs: [
      facts.change === 'removed'
        ? 'You were removed from the project and no longer have access to it.'
        : `Your new role in the project: ${ROLE_NAMES[facts.role]}.`,
    ],
    details: details({ ...facts, ip: '–', browser: '–' }).filter((line) => !line.endsWith('–')),
    advice: 'If you have questions, write to the owner of the project.',
    why: facts.change === 'removed' ? WHY_REMOVED : WHY,
  }),
}
