// What each role of a project may do. This file imports nothing, because the portal loads it at start.
export const ROLES = ['owner', 'admin', 'developer', 'finance', 'support'] as const
export type Role = (typeof ROLES)[number]
/** `owner` is not in this list, because ownership can only be transferred. */
export const MEMBER_ROLES = ['admin', 'developer', 'finance', 'support'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

export const PERMISSIONS = {
  /** Projects, payments, deliveries, stats, history, events and the like. */
  read: ['owner', 'admin', 'developer', 'finance', 'support'],
  /** Resends, test callbacks, reports from `pazar-cli listen`, exam, debugger, pay links, inbox. */
  operate: ['owner', 'admin', 'developer', 'support'],
  qr: ['owner', 'admin'],
  /** Name, test URL, time zone, test secret, brand. */
  configure: ['owner', 'admin', 'developer'],
  /** Live URLs, `events`, `requireSignedLinks`. */
  configure_live: ['owner', 'admin'],
  live_secret: ['owner', 'admin'],
  /** Refunds, statement, CSV. */
  money: ['owner', 'admin', 'finance'],
  members: ['owner', 'admin'],
  /** Archive, restore, delete, transfer. */
  ownership: ['owner'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof PERMISSIONS

export function roleMay(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = PERMISSIONS[permission]
  return roles.includes(role)
}

/** A person may grant a role only if their own role has every permission of the granted role. */
export function mayGrant(granter: Role, role: Role): boolean {
  const permissions = Object.keys(PERMISSIONS) as Permission[]
  return permissions.every((permission) => roleMay(granter, permission) || !roleMay(role, permission))
}

/** The topics of mails about a project. */
export const MAIL_TOPICS = ['failures', 'disputes', 'security'] as const
export type MailTopic = (typeof MAIL_TOPICS)[number]

/** The mails that a new member gets until they choose others. */
export const DEFAULT_MAILS: Readonly<Record<MemberRole, readonly MailTopic[]>> = {
  admin: ['failures', 'disputes', 'security'],
  developer: ['failures'],
  finance: ['disputes'],
  support: ['failures'],
}

/** Mails about security are only for people who may see the live secret. */
export function mayGetMails(role: Role, topic: MailTopic): boolean {
  return topic !== 'security' || roleMay(role, 'live_secret')
}
