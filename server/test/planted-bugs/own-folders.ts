// Harmful changes that a test in the same folder must notice. Earlier, only tests of other folders ran this code.
import type { Bug } from './bug.ts'

export const OWN_FOLDER_BUGS: readonly Bug[] = [
  [
    'a long response continues after its reader has signed out',
    'server/src/projects/access.ts',
    'if (!(await isStillAllowed())) throw',
    'if (isStillAllowed === undefined) throw',
    'server/src/projects/project-access.test.ts',
  ],
  [
    'somebody who found a recovery code invites an admin at once',
    'server/src/projects/members/portal-routes.ts',
    "const grants = { ...session, config: { ...session.config, stepUp: 'waits after recovery' } } as const",
    'const grants = session',
    'server/src/projects/project-access.test.ts',
  ],
  [
    'offers to transfer a project send any number of mails to strangers',
    'server/src/projects/members/transfers.ts',
    '  await limitInvitations(deps, projectId)\n',
    '',
    'server/src/projects/project-access.test.ts',
  ],
  [
    'in production a project whose callbacks go only to its inbox takes live payments',
    'server/src/checkout/check-link.ts',
    "if (link.mode === 'live' && deps.config.production && hasInbox",
    "if (link.mode === 'test' && deps.config.production && hasInbox",
    'server/src/checkout/shop-state.test.ts',
  ],
  [
    'a live page shows the logo of an unverified merchant',
    'server/src/checkout/shown-payment-store.ts',
    "(mode === 'test' || isVerified)",
    "(mode === 'test' || isVerified || isSet)",
    'server/src/checkout/shop-state.test.ts',
  ],
  [
    'after second factors are removed, the sessions of the account stay signed in',
    'server/src/accounts/factors/reset-factors.ts',
    '      await deleteSessions(tx, id, { except: null })\n',
    '',
    'server/src/accounts/factors/reset-factors.test.ts',
  ],
  [
    'second factors are removed after 24 minutes',
    'server/src/accounts/factor-resets-store.ts',
    "interval '${FACTOR_RESET_WAIT_HOURS} hours'",
    "interval '${FACTOR_RESET_WAIT_HOURS} minutes'",
    'server/src/accounts/factors/reset-factors.test.ts',
  ],
  [
    'where sign-up is closed, an invitation creates an account for any address',
    'server/src/accounts/sign-up.ts',
    'if (found?.emailKey !== address.key) throw',
    'if (!found) throw',
    'server/src/accounts/invited-sign-up.test.ts',
  ],
  [
    'a stream continues after its token was revoked',
    'server/src/accounts/guards.ts',
    'return token !== null && isWorkingApiToken(deps.db, account.id, token.id)',
    'return token !== null',
    'server/src/accounts/operator-store.test.ts',
  ],
  [
    'a listener (the CLI) can write its result into the log of a live callback',
    'server/src/callbacks/report-store.ts',
    "and a.outcome = 'delivered' and c.mode = 'test'",
    "and a.outcome = 'delivered'",
    'server/src/callbacks/event-rows.test.ts',
  ],
  [
    'a prepared secret never expires',
    'server/src/secrets/next-secrets-store.ts',
    'n.expires_at > now() and exists',
    'exists',
    'server/src/secrets/next-secret.test.ts',
  ],
  [
    'people who may not operate a project read its inbox',
    'server/src/deliveries/read-inbox.ts',
    "'operate'",
    "'read'",
    'server/src/deliveries/read-inbox.test.ts',
  ],
]
