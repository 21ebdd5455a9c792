// What each role of a project may do. The server's guard and the portal's controls both read this table. Without imports,
// because the portal loads it at once.
export const ROLES = ['owner', 'admin', 'developer', 'finance', 'support'] as const
export type Role = (typeof ROLES)[number]
/** The roles that an invitation can grant; ownership is transferred instead. */
export const MEMBER_ROLES = ['admin', 'developer', 'finance', 'support'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

export const PERMISSIONS = {
  /** Projects, payments, deliveries, stats, history, events. */
  read: ['owner', 'admin', 'developer', 'finance', 'support'],
  /** Resend, test callbacks, exam, debugger, pay links, inbox. */
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

/** Nobody grants a role above their own: only what the granter could do as well. */
export function mayGrant(granter: Role, role: Role): boolean {
  const all = Object.keys(PERMISSIONS) as Permission[]
  return all.every((permission) => roleMay(granter, permission) || !roleMay(role, permission))
}

/** What mails about a project are about. Its owner gets all of them. */
export const MAIL_TOPICS = ['failures', 'disputes', 'security'] as const
export type MailTopic = (typeof MAIL_TOPICS)[number]

/** What a new member gets, until they choose. */
export const DEFAULT_MAILS: Readonly<Record<MemberRole, readonly MailTopic[]>> = {
  admin: ['failures', 'disputes', 'security'],
  developer: ['failures'],
  finance: ['disputes'],
  support: ['failures'],
}

/** Mails about security name who did what from where, so they are for those who may act on it. */
export function mayGetMails(role: Role, topic: MailTopic): boolean {
  return topic !== 'security' || roleMay(role, 'live_secret')
}
