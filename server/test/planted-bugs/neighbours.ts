// Harmful changes, such as a missing condition, a check that is not repeated under the lock, or a missing step.
import type { Bug } from './bug.ts'

const ACCOUNT_SCOPES = 'server/src/accounts/account-scopes.test.ts'
const ACCOUNT_READS = 'server/src/accounts/account-reads.test.ts'
const PROJECT_SCOPES = 'server/src/projects/project-scopes.test.ts'
const FACTOR_DETAILS = 'server/src/accounts/factors/factor-details.test.ts'
const DEMOTED = 'server/src/projects/members/demoted.test.ts'
const RESTORE = 'server/src/cli/restore.test.ts'

export const NEIGHBOUR_BUGS: readonly Bug[] = [
  [
    'a request of one person keeps the sessions of all people alive',
    'server/src/accounts/sessions-store.ts',
    "set last_seen_at = now() where id = $1'",
    "set last_seen_at = now()'",
    ACCOUNT_SCOPES,
  ],
  [
    'removing an authenticator app removes the apps of all accounts',
    'server/src/accounts/second-factors-store.ts',
    "'delete from totp_factors where account_id = $1 returning confirmed_at'",
    "'delete from totp_factors where $1::uuid is not null returning confirmed_at'",
    ACCOUNT_SCOPES,
  ],
  [
    'a request to remove second factors stays after its account is closed, and makes the cleanup fail',
    'server/src/accounts/closing-store.ts',
    "  statement('closing.factor_resets', 'delete from factor_resets where account_id = $1'),\n",
    '',
    ACCOUNT_SCOPES,
  ],
  [
    'a person who lost their passkeys stays locked out although an operator has removed their second factors',
    'server/src/accounts/factor-resets-store.ts',
    "  statement('factor_resets.passkeys', 'delete from passkeys where account_id = $1'),\n",
    '',
    ACCOUNT_SCOPES,
  ],
  [
    'a stream stays open after the session that opened it has ended',
    'server/src/accounts/sessions-store.ts',
    's.id = $2 and ${IS_ACTIVE}`',
    's.id = $2`',
    ACCOUNT_READS,
  ],
  [
    'an authenticator app that was shown but not confirmed locks its owner out',
    'server/src/accounts/second-factors-store.ts',
    't.account_id = a.id and t.confirmed_at is not null)',
    't.account_id = a.id)',
    FACTOR_DETAILS,
  ],
  [
    'one correct code completes a sign-in twice',
    'server/src/accounts/factors/complete-sign-in.ts',
    "if (!(await usePendingSignIn(tx, tokenHash))) throw new ServiceError('unauthenticated')",
    'await usePendingSignIn(tx, tokenHash)',
    FACTOR_DETAILS,
  ],
  [
    'members of other projects get the mails about the security of a project',
    'server/src/projects/members-store.ts',
    'where m.project_id = $1 and $2 = any (m.mails)',
    'where $1::text is not null and $2 = any (m.mails)',
    PROJECT_SCOPES,
  ],
  [
    'the first person who joins gets the project that was offered to another address',
    'server/src/projects/transfers-store.ts',
    'and to_id is null and to_email_key = $3 and',
    'and to_id is null and $3::text is not null and',
    PROJECT_SCOPES,
  ],
  [
    'a rotation replaces the secrets of all projects',
    'server/src/secrets/secrets-store.ts',
    'rotated_at = now()\n   where project_id = $1 and mode = $2`',
    'rotated_at = now()\n   where $1::text is not null and mode = $2`',
    PROJECT_SCOPES,
  ],
  [
    'an admin who is demoted during their request can still change the callback URL',
    'server/src/projects/projects.ts',
    '    requireSettings(stored, caller, input, requireStepUp)\n',
    '',
    DEMOTED,
  ],
  [
    'the former owner keeps the secret that they prepared before a transfer',
    'server/src/projects/members/apply-transfer.ts',
    '  await discardNextSecret(tx, id)\n',
    '',
    'server/src/projects/members/transfers.test.ts',
  ],
  [
    'rekey leaves the prepared secrets sealed with the old master key',
    'server/src/cli/rekey.ts',
    ' + (await rekeyNextSecrets(deps))',
    '',
    'server/src/cli/rekey.test.ts',
  ],
  [
    'after a restore payments are not stopped, and payers are charged twice',
    'server/src/cli/backup.ts',
    '    await applyRestoredFrom(deps)\n',
    '',
    RESTORE,
  ],
  [
    'a dry run of a reconciliation stores its results and lets payments continue',
    'server/src/cli/reconcile.ts',
    "        isDry: values['dry-run'] === true,\n        acceptUnlisted",
    '        isDry: false,\n        acceptUnlisted',
    RESTORE,
  ],
]
