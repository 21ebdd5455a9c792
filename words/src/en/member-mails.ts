// Why this is long: one list of mails.
import { INVITATION_MAX_DAYS, TRANSFER_OFFER_MAX_DAYS, TRANSFER_WAIT_HOURS } from '@pazar/contract/limits'
import type {
  MailText,
  MemberChange,
  MembershipFacts,
  ProjectActionFacts,
  TransferFacts,
  TransferStage,
} from '../mail-facts.ts'
import { SECURE_ACCOUNT } from './factor-mails.ts'
import type { MemberRole } from '@pazar/contract'

const ROLE_NAMES: Record<MemberRole | 'owner', string> = {
  owner: 'owner',
  admin: 'admin',
  developer: 'developer',
  finance: 'finance',
  support: 'support',
}

const detailsWithoutIp = ({ project, when, by }: ProjectActionFacts) => [
  `Project: ${project}`,
  ...(by === undefined ? [] : [`By: ${by}`]),
  `Time: ${when}`,
]

const details = (facts: ProjectActionFacts) => [
  ...detailsWithoutIp(facts),
  // The IP address is empty if the member has closed their account.
  ...(facts.ip === '' ? [] : [`IP address: ${facts.ip}`, `Browser: ${facts.browser}`]),
]

const CHANGES: Record<MemberChange, (member: string, role: string) => string> = {
  joined: (member, role) =>
    `${member} accepted an invitation and is now a member of the project. Role: ${role}.`,
  left: (member) => `${member} left the project and no longer has access to it.`,
  removed: (member) => `${member} was removed from the project and no longer has access to it.`,
  role: (member, role) => `The role of ${member} has changed. New role: ${role}.`,
}

const TITLES: Record<MemberChange, (member: string, project: string, role: string) => string> = {
  joined: (member, project) => `${member} joined ${project}`,
  left: (member, project) => `${member} left ${project}`,
  removed: (member, project) => `${member} was removed from ${project}`,
  role: (member, _project, role) => `New role for ${member}: ${role}`,
}

/** The mail to the person who acted. A person who left cannot open the project, so their mail has no link to it. */
const toOwnMemberMail = (
  facts: ProjectActionFacts & { member: string; change: MemberChange; role: MemberRole },
): MailText => {
  const { change, member, project } = facts
  const role = ROLE_NAMES[facts.role]
  if (change === 'joined')
    return {
      subject: `You joined ${project}`,
      heading: `You joined ${project}`,
      paragraphs: [`You accepted an invitation and are now a member of the project. Role: ${role}.`],
      details: details(facts),
      action: 'Open the project',
      advice: SECURE_ACCOUNT,
      why: WHY,
    }
  if (change === 'left')
    return {
      subject: `You left ${project}`,
      heading: `You left ${project}`,
      paragraphs: ['You no longer have access to the project.'],
      details: details(facts),
      advice: `${SECURE_ACCOUNT} Then ask the owner of the project for a new invitation.`,
      why: WHY_REMOVED,
    }
  return {
    subject: TITLES[change](member, project, role),
    heading: TITLES[change](member, project, role),
    paragraphs: [CHANGES[change](member, role)],
    details: details(facts),
    action: 'Open the Members page',
    advice: `${SECURE_ACCOUNT} Then check on the Members page who has access.`,
    why: WHY,
  }
}

const toOwnTitle = ({ project, change, role }: MembershipFacts) =>
  change === 'removed'
    ? `You were removed from ${project}`
    : `Your new role in ${project}: ${ROLE_NAMES[role]}`

const WHY = 'You receive this message because you work on this project.'
const WHY_TRANSFER = 'You receive this message because you work on this project or were invited to it.'
const WHY_REMOVED = 'You receive this message because you were a member of this project.'

interface TransferText {
  title: (project: string) => string
  /** Texts that differ for one kind of reader. */
  to?: Partial<Record<TransferFacts['reader'], Partial<TransferText>>>
  action?: string
  paragraphs: (facts: TransferFacts) => string[]
  points?: readonly string[]
  advice: (facts: TransferFacts) => string
}

/**
 * Admins get this mail too. They cannot cancel the transfer, but they can end it: they remove the person who should become
 * the owner.
 */
const toCancelAdvice = ({ from, to }: TransferFacts) =>
  `${from} and ${to} can cancel the transfer on the project’s Members page. If one of these addresses is yours and you did not expect this, cancel it and change your password. If you are an admin and did not expect this, ask the owner (${from}) by phone or in person; you can also stop the transfer by removing ${to} from the project.`

const TRANSFERS: Record<TransferStage, TransferText> = {
  offered: {
    title: (project) => `Offer to transfer ${project}`,
    paragraphs: ({ from, to }) => [
      `${from} wants to make ${to} the owner of the project.`,
      `${to} can accept on the project’s Members page within ${TRANSFER_OFFER_MAX_DAYS} days. If they have not joined the project, they must first accept the invitation to it. Until they do, the offer is valid only as long as the invitation. Nothing changes until ${TRANSFER_WAIT_HOURS} hours after they accept the transfer.`,
    ],
    advice: toCancelAdvice,
    to: {
      owner: {
        paragraphs: ({ to }) => [
          `You offered the project to ${to}.`,
          `They can accept within ${TRANSFER_OFFER_MAX_DAYS} days. If they have not joined the project, they must first accept the invitation to it. Until they do, the offer is valid only as long as the invitation. Nothing changes until ${TRANSFER_WAIT_HOURS} hours after they accept the transfer.`,
        ],
        advice: () =>
          'If you did not make this offer, cancel the transfer on the project’s Members page and change your password.',
      },
      receiver: {
        title: (project) => `You can become the owner of ${project}`,
        paragraphs: ({ from }) => [
          `${from} offers you the project.`,
          `You can accept on the project’s Members page within ${TRANSFER_OFFER_MAX_DAYS} days. If you have not joined the project, accept the invitation to it first. Until you do, the offer is valid only as long as the invitation. Nothing changes until ${TRANSFER_WAIT_HOURS} hours after you accept the transfer.`,
        ],
        action: 'View the offer',
        advice: () => 'If you do not want the project, decline the offer there or ignore this message.',
      },
    },
  },
  accepted: {
    title: (project) => `${project} will get a new owner`,
    paragraphs: ({ from, to, takesEffect }) => [
      `${to} has accepted. After ${takesEffect ?? ''} they will own the project, and ${from} will stay in it as an admin.`,
      'Payments, refunds in the portal and unsigned pay links keep working. Until the transfer takes effect, either side can cancel it. When it takes effect:',
    ],
    points: [
      'The live secret is rotated, and the old one stops working immediately.',
      'The new owner must put the new secret on the merchant’s server: until then, the server cannot verify live callbacks.',
      'Links and QR codes signed with the old secret stop working.',
      'The API tokens of the project, and the former owner’s tokens that are not limited to one project, stop working.',
    ],
    advice: toCancelAdvice,
  },
  cancelled: {
    title: (project) => `The transfer of ${project} was cancelled`,
    paragraphs: ({ from }) => [`The project keeps its owner: ${from}.`],
    advice: ({ from, to }) =>
      `Both sides can cancel a transfer. It also ends if ${to} is no longer a member or invited, or gets a role with fewer rights. If you did not expect this, see the Members page or ask ${from}.`,
  },
  expired: {
    title: (project) => `The offer to transfer ${project} has expired`,
    paragraphs: ({ from, to }) => [`${to} did not accept in time. The project keeps its owner: ${from}.`],
    advice: () => 'The owner can offer the project again.',
  },
  impossible: {
    title: (project) => `The owner of ${project} could not be changed`,
    paragraphs: ({ from, to }) => [
      `The project cannot be transferred to ${to} at the moment. It keeps its owner: ${from}.`,
      'The new owner must be a member with a confirmed email address, a free project slot and, where it is required, a verified identity. An archived project cannot be transferred.',
    ],
    advice: () => 'Once that is resolved, the owner can offer the project again.',
  },
  done: {
    title: (project) => `${project} has a new owner`,
    paragraphs: ({ from, to }) => [
      `${to} is now the owner of the project. ${from} stays in it as an admin, and the owner can remove them.`,
    ],
    points: [
      'The live secret was rotated, and the old one no longer works.',
      'The owner must now put the new secret on the merchant’s server: until then, the server cannot verify live callbacks.',
      'Links and QR codes signed with the old secret no longer work.',
      'The API tokens of the project, and the former owner’s tokens that are not limited to one project, no longer work.',
    ],
    advice: () => 'If you did not expect this, contact the operator of this service at once:',
  },
}

export const memberMails = {
  ownership_transfer: (facts: TransferFacts): MailText => {
    const words = { ...TRANSFERS[facts.stage], ...TRANSFERS[facts.stage].to?.[facts.reader] }
    return {
      subject: words.title(facts.project),
      heading: words.title(facts.project),
      paragraphs: words.paragraphs(facts),
      points: words.points ?? [],
      details: [
        `Project: ${facts.project}`,
        `Time: ${facts.when}`,
        ...(facts.ip === null ? [] : [`IP address: ${facts.ip}`]),
        ...(facts.browser === null ? [] : [`Browser: ${facts.browser}`]),
      ],
      action: words.action ?? 'Open the Members page',
      advice: words.advice(facts),
      why: WHY_TRANSFER,
    }
  },

  project_invitation: (facts: { project: string; by: string | null; role: MemberRole }): MailText => ({
    subject: `Invitation to the project ${facts.project}`,
    heading: `Invitation to the project ${facts.project}`,
    paragraphs: [
      `${facts.by === null ? 'You are invited' : `${facts.by} invites you`} to work on the project “${facts.project}”. Role: ${ROLE_NAMES[facts.role]}.`,
      `The link is valid for ${INVITATION_MAX_DAYS} days, works once, and only for an account with this address. If you have no account, you can create one.`,
    ],
    action: 'Open the invitation',
    advice: `${facts.by === null ? 'If you did not expect this invitation' : 'If you do not know the sender'}, ignore this message. Nothing happens until you accept.`,
    why: 'You receive this message because someone entered your address. If you have no account, we store it only for this invitation.',
  }),

  member_changed: (
    facts: ProjectActionFacts & { member: string; change: MemberChange; role: MemberRole },
  ): MailText =>
    facts.by === undefined
      ? toOwnMemberMail(facts)
      : {
          subject: TITLES[facts.change](facts.member, facts.project, ROLE_NAMES[facts.role]),
          heading: TITLES[facts.change](facts.member, facts.project, ROLE_NAMES[facts.role]),
          paragraphs: [CHANGES[facts.change](facts.member, ROLE_NAMES[facts.role])],
          // The title already names the person who joined or left.
          details: details(
            facts.change === 'joined' || facts.change === 'left' ? { ...facts, by: undefined } : facts,
          ),
          action: 'Open the Members page',
          advice: 'If you did not expect this, open the project’s Members page and check who has access.',
          why: WHY,
        },

  member_email_changed: (facts: ProjectActionFacts & { member: string; formerEmail: string }): MailText =>
    facts.by === undefined
      ? {
          subject: `Your new email address in ${facts.project}`,
          heading: `Your new email address in ${facts.project}`,
          paragraphs: [
            `You are now a member of this project as ${facts.member}, no longer as ${facts.formerEmail}. Your access has not changed.`,
          ],
          details: details(facts),
          action: 'Open the project',
          advice: SECURE_ACCOUNT,
          why: WHY,
        }
      : {
          subject: `A member of your project has a new email address: ${facts.project}`,
          heading: 'A member of your project has a new email address',
          paragraphs: [
            `The member ${facts.formerEmail} now uses the address ${facts.member}. They stay a member, and the Members page shows the new address.`,
          ],
          details: details(facts),
          action: 'Open the Members page',
          advice:
            'If you did not expect this, ask this person by phone or in person and, if needed, remove them on the Members page.',
          why: WHY,
        },

  membership_changed: (facts: MembershipFacts): MailText => ({
    subject: toOwnTitle(facts),
    heading: toOwnTitle(facts),
    paragraphs: [
      facts.change === 'removed'
        ? 'You no longer have access to the project.'
        : `Your new role in the project: ${ROLE_NAMES[facts.role]}.`,
    ],
    details: detailsWithoutIp(facts),
    ...(facts.change === 'role' ? { action: 'Open the project' } : {}),
    advice: 'If you have questions, write to the owner of the project.',
    why: facts.change === 'removed' ? WHY_REMOVED : WHY,
  }),
}
