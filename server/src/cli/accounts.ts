import type { Account } from '../accounts/account.ts'
import { findApiTokens, revokeApiToken } from '../accounts/api-tokens-store.ts'
import { findAuditEvents } from '../accounts/audit-store.ts'
import { recordAudit } from '../accounts/audit.ts'
import { toEmailKey } from '../accounts/email-address.ts'
import type { KnownAccount } from '../accounts/operator-store.ts'
import { findKnownByEmail, findKnownById, searchAccounts } from '../accounts/operator-store.ts'
import { findFactors } from '../accounts/second-factors-store.ts'
import type { Factors } from '../accounts/second-factors-store.ts'
import { deleteSessions, findActiveSessions } from '../accounts/sessions-store.ts'
import { UUID_PATTERN } from '../lib/id.ts'
import { findOwnerId, listProjects } from '../projects/projects-store.ts'
import type { Deps } from '../wire.ts'
import { closeByOperator } from './close-account.ts'
import type { Command } from './command.ts'
import { parseFlags, refuseUnusedFlags, RefusedError, toCell, toTable, UsageError } from './command.ts'

const USAGE =
  'accounts find <text> | show <account> | end-sessions <account> [--dry-run] | revoke-tokens <account> [--dry-run] | close <email> [--dry-run]'
const FOUND_MAX = 50
const ACTIONS_SHOWN = 20

const DETAILS = `<text>: a part of the email address.
<account>: the account's email address or id, or the id of a project that the account owns.

show prints the account, its second factors, projects, sessions, API tokens and last actions.
Passwords, secrets and the tokens themselves are not printed.
end-sessions signs the account out everywhere, for example after a theft; passwords and second factors stay.
revoke-tokens ends all API tokens of the account; programs that use them stop working.
close erases the account, as its owner can do in the portal. It takes the complete email address, not an id. Projects without live
payments are deleted, live payments stay.
  --dry-run   says what would happen and changes nothing

Each change is in the account's own history, with "operator" as the actor. If no project is left, close deletes the history too.
Exit codes: 0 done, 1 refused, 2 wrong usage.`

const toTime = (date: Date | null): string => date?.toISOString() ?? '-'

async function requireAccount(deps: Deps, text: string): Promise<KnownAccount> {
  if (text.includes('@')) {
    const found = await findKnownByEmail(deps.db, toEmailKey(text))
    if (found) return found
    throw new RefusedError('No account has this email address; "accounts find" accepts a part of an address.')
  }
  const id = UUID_PATTERN.test(text) ? text : await findOwnerId(deps.db, text)
  const found = id === null ? null : await findKnownById(deps.db, id)
  if (!found) throw new RefusedError('No account or project has this id.')
  return found
}

async function listMatching(deps: Deps, text: string): Promise<string> {
  const found = await searchAccounts(deps.db, toEmailKey(text), FOUND_MAX + 1)
  if (found.length === 0) throw new RefusedError(`No email address contains ${toCell(text)}.`)
  const rows = found
    .slice(0, FOUND_MAX)
    .map(({ account, createdAt }) => [
      account.id,
      toCell(account.email, 80),
      toTime(createdAt),
      account.emailConfirmedAt ? 'yes' : 'no',
      account.kyc,
    ])
  const columnHeads = ['ACCOUNT', 'EMAIL', 'CREATED', 'CONFIRMED', 'IDENTITY']
  return (
    toTable([columnHeads, ...rows]) +
    (found.length > FOUND_MAX ? '\nThere are more; search for a longer text.' : '')
  )
}

function toFactorText({ totpSince, passkeys, recoveryCodesLeft }: Factors): string {
  const names = [
    ...(totpSince === null ? [] : ['authenticator app']),
    ...(passkeys === 0 ? [] : [`passkeys: ${passkeys}`]),
  ]
  return names.length === 0 ? 'none' : [...names, `recovery codes left: ${recoveryCodesLeft}`].join(', ')
}

function toSection(title: string, heads: string[], rows: string[][]): string {
  if (rows.length === 0) return `${title}: none`
  const table = toTable([heads, ...rows]).replaceAll(/^/gm, '  ')
  return `${title}:\n${table}`
}

async function listAccess(deps: Deps, { id }: Account): Promise<string[]> {
  const [sessions, tokens] = [await findActiveSessions(deps.db, id), await findApiTokens(deps.db, id)]
  return [
    toSection(
      'Sessions',
      ['SINCE', 'LAST REQUEST', 'ADDRESS', 'BROWSER'],
      sessions.map((one) => [
        toTime(one.createdAt),
        toTime(one.lastSeenAt),
        toCell(one.ip),
        toCell(one.userAgent, 60),
      ]),
    ),
    toSection(
      'API tokens',
      ['NAME', 'SCOPE', 'PROJECT', 'WORKS UNTIL', 'LAST USED'],
      tokens.map((one) => [
        toCell(one.name),
        one.scope,
        one.projectId ?? 'all',
        one.expired ? 'ended' : toTime(one.expiresAt),
        toTime(one.lastUsedAt),
      ]),
    ),
  ]
}

async function showAccount(deps: Deps, { account, createdAt, closedAt }: KnownAccount): Promise<string> {
  const projects = await listProjects(deps.db, account.id)
  const actions = await findAuditEvents(
    deps.db,
    { accountId: account.id },
    { beforeId: null, limit: ACTIONS_SHOWN },
  )
  const facts: [string, string][] = [
    ['email', closedAt ? `erased; closed ${toTime(closedAt)}` : toCell(account.email, 254)],
    ['confirmed', toTime(account.emailConfirmedAt)],
    ['created', toTime(createdAt)],
    ['language', `${account.locale}, ${account.timeZone}`],
    ['identity', account.kyc === 'verified' ? 'verified' : 'not verified'],
    ['second factors', toFactorText(await findFactors(deps.db, account.id))],
  ]
  return [
    `Account ${account.id}`,
    toTable(facts.map(([name, value]) => [`  ${name}`, value])),
    toSection(
      'Projects',
      ['PROJECT', 'ROLE', 'NAME', 'ARCHIVED'],
      projects.map((one) => [one.id, one.role, toCell(one.name), toTime(one.archivedAt)]),
    ),
    ...(await listAccess(deps, account)),
    toSection(
      `Last ${ACTIONS_SHOWN} actions`,
      ['AT', 'ACTION', 'ACTOR', 'PROJECT', 'ADDRESS'],
      actions.map((one) => [
        toTime(one.at),
        one.action,
        toCell(one.actor, 60),
        one.projectId ?? '-',
        toCell(one.ip),
      ]),
    ),
  ].join('\n')
}

const BY_OPERATOR = { actor: 'operator', client: null } as const

async function endSessions(deps: Deps, { account }: KnownAccount, isDry: boolean): Promise<string> {
  const sessions = await findActiveSessions(deps.db, account.id)
  if (sessions.length === 0) throw new RefusedError('This account has no session.')
  if (isDry) return `Sessions that would end: ${sessions.length}.\nDry run: nothing was changed.`
  const count = await deps.db.transaction(async (tx) => {
    const ended = await deleteSessions(tx, account.id, { except: null })
    const changes = { count: ended }
    await recordAudit(deps, tx, {
      ...BY_OPERATOR,
      accountId: account.id,
      action: 'sessions_revoked',
      changes,
    })
    return ended
  })
  return `Sessions ended: ${count}.`
}

async function revokeTokens(deps: Deps, { account }: KnownAccount, isDry: boolean): Promise<string> {
  const workingTokens = (await findApiTokens(deps.db, account.id)).filter(({ expired }) => !expired)
  if (workingTokens.length === 0) throw new RefusedError('This account has no API token that works.')
  const names = workingTokens.map(({ name }) => toCell(name)).join(', ')
  if (isDry) return `Would be revoked: ${names}.\nDry run: nothing was changed.`
  await deps.db.transaction(async (tx) => {
    for (const { id } of workingTokens) {
      const revoked = await revokeApiToken(tx, account.id, id)
      if (!revoked) continue
      const { projectId, ...changes } = revoked
      const event = {
        ...BY_OPERATOR,
        accountId: account.id,
        action: 'token_revoked',
        projectId,
        changes,
      } as const
      await recordAudit(deps, tx, event)
    }
  })
  return `Revoked: ${names}.`
}

export const accounts: Command = {
  name: 'accounts',
  usage: USAGE,
  summary: 'find and show accounts, end their sessions and API tokens, close them',
  details: DETAILS,
  async run(deps, args) {
    const { values, positionals } = parseFlags(USAGE, args, { 'dry-run': { type: 'boolean' } })
    const [verb, text, ...more] = positionals
    const { 'dry-run': isDry = false } = values
    if (text === undefined || text.trim() === '' || more.length > 0)
      throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
    if (verb === 'find' || verb === 'show') refuseUnusedFlags(USAGE, `accounts ${verb}`, values, [])
    if (verb === 'find') return listMatching(deps, text)
    if (verb === 'show') return showAccount(deps, await requireAccount(deps, text))
    if (verb === 'end-sessions') return endSessions(deps, await requireAccount(deps, text), isDry)
    if (verb === 'revoke-tokens') return revokeTokens(deps, await requireAccount(deps, text), isDry)
    if (verb === 'close') return closeByOperator(deps, text, isDry)
    throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
  },
}
