// Harmful changes around second factors, the people of a project and the lanes of a process that no test of the same folder
// noticed at first.
import type { Bug } from './bug.ts'

const FACTORS_TEST = 'server/src/accounts/factors/second-factor.test.ts'
const PASSKEYS_TEST = 'server/src/accounts/passkeys/passkeys.test.ts'
const INVITATIONS_TEST = 'server/src/projects/members/invitations.test.ts'
const TRANSFERS_TEST = 'server/src/projects/members/transfers.test.ts'
const ACCESS_END_TEST = 'server/src/projects/members/access-end.test.ts'

export const MEMBER_BUGS: readonly Bug[] = [
  [
    'nobody is mailed that a recovery code was used',
    'server/src/accounts/factor-codes.ts',
    "    await queueMail(deps, tx, account, { kind: 'factor_changed', client, change: 'recovery_code_used', left })\n",
    '',
    FACTORS_TEST,
  ],
  [
    'secrets wait for minutes after a recovery code, not for a day',
    'server/src/accounts/sessions-store.ts',
    "'${RECOVERY_WAIT_HOURS} hours'",
    "'${RECOVERY_WAIT_HOURS} minutes'",
    FACTORS_TEST,
  ],
  [
    'the code that set an app up also signs in',
    'server/src/accounts/second-factors-store.ts',
    'last_step = $3,',
    'last_step = least($3, 0),',
    FACTORS_TEST,
  ],
  [
    'a passkey is accepted with the challenge of another account',
    'server/src/accounts/passkeys-store.ts',
    'and account_id is not distinct from $3 and',
    'and $3::uuid is not distinct from $3 and',
    PASSKEYS_TEST,
  ],
  [
    'after a password reset, the password of another account is enough for a passkey',
    'server/src/accounts/passkeys/passkeys.ts',
    'pending ? pending.account.id === account.id : false',
    'pending !== null',
    PASSKEYS_TEST,
  ],
  [
    'an account can have any number of passkeys',
    'server/src/accounts/passkeys/passkeys.ts',
    '.length >= PASSKEYS_PER_ACCOUNT_MAX',
    '.length >= 10 * PASSKEYS_PER_ACCOUNT_MAX',
    PASSKEYS_TEST,
  ],
  [
    'closing an account leaves its passkeys',
    'server/src/accounts/closing-store.ts',
    "  statement('closing.passkeys', 'delete from passkeys where account_id = $1'),\n",
    '',
    'server/src/accounts/closing-store.test.ts',
  ],
  [
    'a stolen session invites people without a step-up',
    'server/src/projects/members/invitations.ts',
    '  requireStepUp()\n',
    '',
    INVITATIONS_TEST,
  ],
  [
    'a member who left keeps their API tokens',
    'server/src/projects/members/members.ts',
    '    await endPowers(tx, projectId, { accountId, email, role, mails: [], since: project.createdAt })\n',
    '',
    ACCESS_END_TEST,
  ],
  [
    'a transfer of ownership takes effect when it is accepted',
    'server/src/projects/transfers-store.ts',
    "due_at = now() + interval '${TRANSFER_WAIT_HOURS} hours'",
    'due_at = now()',
    TRANSFERS_TEST,
  ],
  [
    'after a transfer the former owner keeps the live secret',
    'server/src/projects/members/transfers.ts',
    "  await rotateSecret(deps, tx, id, 'live')\n",
    '',
    TRANSFERS_TEST,
  ],
  [
    'a project can have more members than promised',
    'server/src/projects/members/invitations.ts',
    'people >= MEMBERS_PER_PROJECT_MAX',
    'people > MEMBERS_PER_PROJECT_MAX',
    INVITATIONS_TEST,
  ],
  [
    'members get no mails about disputes',
    'server/src/disputes/dispute-mails.ts',
    'owner ? [owner, ...members] : members',
    'owner ? [owner] : members',
    'server/src/disputes/record-dispute.test.ts',
  ],
  [
    'a dispute that was won and then lost raises no incident',
    'server/src/disputes/reactions.ts',
    'won: KEEP, lost: CONTRADICTION',
    'won: KEEP, lost: KEEP',
    'server/src/disputes/reactions.test.ts',
  ],
  [
    'the lanes of a process that stopped renewing its lease are never free',
    'server/src/callbacks/lane-store.ts',
    'not between now() and now() + ${LEASE_MAX}',
    '> now() + ${LEASE_MAX}',
    'server/src/callbacks/lane-store.test.ts',
  ],
  [
    'everybody who can see a project can refund its payments',
    'server/src/refunds/request-refund.ts',
    "body.projectId, 'money')",
    "body.projectId, 'read')",
    'server/src/refunds/routes.test.ts',
  ],
  [
    'finance staff rotate the test secret',
    'server/src/projects/project-secrets.ts',
    "'live_secret' : 'configure'",
    "'live_secret' : 'read'",
    'server/src/projects/project-changes.test.ts',
  ],
  [
    'a developer makes tokens that refund',
    'server/src/accounts/api-tokens/api-tokens.ts',
    "scope === 'refund' ? 'money' : 'read'",
    "'read'",
    'server/src/accounts/api-tokens/api-tokens.test.ts',
  ],
  [
    'the limits of a day are forgotten after an hour',
    'server/src/accounts/lockout-store.ts',
    'BUCKET_RETENTION_MIN = 24 * 60',
    'BUCKET_RETENTION_MIN = 60',
    'server/src/accounts/cleanup.test.ts',
  ],
  [
    'the history of a project keeps the address of a closed account',
    'server/src/accounts/closing-store.ts',
    ", changes = changes - 'email'",
    '',
    ACCESS_END_TEST,
  ],
  [
    'a process that stops leaves its name, and others wait for its lease',
    'server/src/callbacks/ownership.ts',
    '        await removeProcess(db, processId)\n',
    '',
    'server/src/callbacks/ownership.test.ts',
  ],
  [
    'a prepared secret outlives the password of the person who prepared it',
    'server/src/secrets/next-secrets-store.ts',
    ' and a.credential_version = n.credential_version',
    '',
    'server/src/projects/next-secret.test.ts',
  ],
  [
    'a member who makes tokens all the time cannot be removed',
    'server/src/accounts/accounts-store.ts',
    'closed_at is null for no key update',
    'closed_at is null for update',
    ACCESS_END_TEST,
  ],
  [
    'a token made in the instant of a removal stays',
    'server/src/projects/projects-store.ts',
    'where id = $1 for share',
    'where id = $1',
    ACCESS_END_TEST,
  ],
  [
    'a removed member keeps the prepared secret',
    'server/src/projects/members/members.ts',
    '  await discardNextSecret(tx, projectId)\n',
    '',
    'server/src/projects/next-secret.test.ts',
  ],
  [
    'any word but "no" confirms what an operator cannot undo',
    'server/src/cli/confirm-prompt.ts',
    "=== 'yes'",
    "!== 'no'",
    'server/src/cli/confirm-prompt.test.ts',
  ],
]
