// Checks what an authenticator signed. User verification (fingerprint, face, PIN) is required, so that a passkey counts as
// two factors.
import { randomBytes } from 'node:crypto'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { PASSKEY_CHALLENGE_MAX_SEC } from '@pazar/contract'
import type { PasskeyAssertion, PasskeyAttestation } from '@pazar/contract'
import { invalidField, ServiceError } from '../../lib/service-error.ts'
import type { Account, AccountId } from '../account.ts'
import type { ClientFacts } from '../client.ts'
import { byAccount, recordAudit } from '../audit.ts'
import type { AccountDeps } from '../deps.ts'
import { queueMail } from '../mail/queue-mail.ts'
import {
  findOwnedPasskey,
  findCredentials,
  insertChallenge,
  useChallenge,
  usePasskey,
} from '../passkeys-store.ts'
import type { ChallengePurpose, StoredPasskey } from '../passkeys-store.ts'
import { toRelyingParty } from '../relying-party.ts'
import type { RelyingParty } from '../relying-party.ts'

const TIMEOUT_MS = PASSKEY_CHALLENGE_MAX_SEC * 1000

function requireRelyingParty(deps: AccountDeps): RelyingParty {
  const party = toRelyingParty(deps.config)
  if (!party) throw new ServiceError('not_found')
  return party
}

async function newChallenge(deps: AccountDeps, purpose: ChallengePurpose, accountId: AccountId | null) {
  const bytes = randomBytes(32)
  await insertChallenge(deps.db, { bytes, purpose, accountId })
  return Uint8Array.from(bytes)
}

const toDescriptors = (credentials: readonly StoredPasskey[]) =>
  credentials.map(({ credentialId, transports }) => ({
    id: credentialId.toString('base64url'),
    transports,
  }))

export async function createRegistrationOptions(deps: AccountDeps, { id, email }: Account) {
  const party = requireRelyingParty(deps)
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userName: email,
    userID: Uint8Array.from(Buffer.from(id.replaceAll('-', ''), 'hex')),
    challenge: await newChallenge(deps, 'register', id),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: toDescriptors(await findCredentials(deps.db, id)),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** With an account, the options are for a step-up of that account. Without an account, they are for a sign-in. */
export async function createAssertionOptions(deps: AccountDeps, accountId: AccountId | null) {
  const party = requireRelyingParty(deps)
  const purpose = accountId === null ? 'sign_in' : 'step_up'
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: await newChallenge(deps, purpose, accountId),
    timeout: TIMEOUT_MS,
    userVerification: 'required',
    ...(accountId === null
      ? {}
      : { allowCredentials: toDescriptors(await findCredentials(deps.db, accountId)) }),
  })
}

export async function checkAttestation(deps: AccountDeps, { id }: Account, response: PasskeyAttestation) {
  const party = requireRelyingParty(deps)
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) =>
        useChallenge(deps.db, {
          bytes: Buffer.from(challenge, 'base64url'),
          purpose: 'register',
          accountId: id,
        }),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    })
    if (verified) return registrationInfo.credential
  } catch (error) {
    if (error instanceof ServiceError) throw error // The database is unavailable.
    // The library throws when the response is wrong.
    deps.log.info({ err: error }, 'a new passkey was refused')
  }
  throw invalidField('response', 'passkey_refused')
}

export interface Assertion {
  response: PasskeyAssertion
  purpose: 'sign_in' | 'step_up'
}

/** Throws `invalid_credentials` if the response is not valid, or if `usePasskey` refuses the authenticator's new counter. */
export async function requireAssertion(
  deps: AccountDeps,
  owner: { passkey: StoredPasskey; account: Account; client: ClientFacts },
  { response, purpose }: Assertion,
): Promise<void> {
  const { passkey, account } = owner
  const newCounter = await findCounter(deps, owner, { response, purpose })
  if (newCounter === null) throw new ServiceError('invalid_credentials')
  if (await usePasskey(deps.db, passkey.id, newCounter)) return
  // The passkey was removed meanwhile.
  if (!(await findOwnedPasskey(deps.db, passkey.credentialId, null)))
    throw new ServiceError('invalid_credentials')
  // A counter that did not increase can mean that somebody copied the passkey.
  await deps.db.transaction(async (tx) => {
    const { client } = owner
    const mail = { kind: 'factor_changed', client, change: 'passkey_refused', name: passkey.name } as const
    await queueMail(deps, tx, account, mail)
    await recordAudit(deps, tx, {
      ...byAccount({ account, ...client }),
      action: 'passkey_refused',
      changes: { name: passkey.name },
    })
  })
  throw new ServiceError('invalid_credentials')
}

/** The authenticator's new counter; null if the response is not valid for this passkey and this purpose. */
async function findCounter(
  deps: AccountDeps,
  { passkey, account }: { passkey: StoredPasskey; account: Account },
  { response, purpose }: Assertion,
): Promise<number | null> {
  const party = requireRelyingParty(deps)
  const accountId = purpose === 'sign_in' ? null : account.id
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) =>
        useChallenge(deps.db, { bytes: Buffer.from(challenge, 'base64url'), purpose, accountId }),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId.toString('base64url'),
        publicKey: Uint8Array.from(passkey.publicKey),
        // The counter is compared in the database, so that two parallel requests cannot both pass.
        counter: 0,
      },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch (error) {
    if (error instanceof ServiceError) throw error // The database is unavailable.
    deps.log.info({ err: error }, 'a passkey was not accepted')
    return null
  }
}
