import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { findMail, readMailedToken, rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { readMasterKeys } from '../lib/master-key.ts'
import { createSealBox } from '../lib/seal.ts'
import { createErasedOrders } from '../payments/erasure/erased-orders.ts'
import { findAccountByEmail } from '../accounts/accounts-store.ts'
import { createFactorSecrets } from '../accounts/factor-secrets.ts'
import { findTotp } from '../accounts/second-factors-store.ts'
import { addApp } from '../../test/factors.ts'
import { readSecret } from '../secrets/secrets.ts'
import { toPrinted, UsageError } from './command.ts'
import { examineMasterKey } from './doctor/machine-findings.ts'
import { rekey } from './rekey.ts'

const service = await startTestService()
const { deps } = service

test('rekey takes no arguments', async () => {
  await assert.rejects(async () => rekey.run(deps, ['--dry-run']), UsageError)
})

test('rekey seals everything with the new master key, and the old one can be removed', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  const secret = await readSecret(deps, deps.db, id, 'live')
  const token = await readMailedToken(service, owner.email, 'confirm_email')

  await owner.stepUp()
  const { app: authenticator } = await addApp(service, owner)
  // Adds another app, which is not confirmed yet, and a secret that is not in use yet.
  assert.equal((await owner.post('/portal/api/totp')).status, 200)
  const prepared = await owner.post(`/portal/api/projects/${id}/next-secret`)
  assert.equal(prepared.status, 201, prepared.text)

  await deps.erasedOrders.begin()
  const hash = deps.erasedOrders.toHash(id, 'order-1')

  const [oldKey] = await readMasterKeys(service.config)
  const newKey = randomBytes(32)
  const depsWithBothKeys = {
    ...deps,
    secretBox: createSealBox([newKey, oldKey], 'project-secret'),
    mailTokens: createSealBox([newKey, oldKey], 'mail-token'),
    installationKeys: createSealBox([newKey, oldKey], 'installation-key'),
    factorSecrets: createFactorSecrets(createSealBox([newKey, oldKey], 'second-factor')),
  }
  // Twelve second factors: the secrets of both apps and ten recovery codes.
  assert.equal(
    await rekey.run(depsWithBothKeys, []),
    'Sealed again: secrets 3, waiting mails 1, second factors 12, installation keys 1.',
  )
  assert.equal(
    await rekey.run(depsWithBothKeys, []),
    'Sealed again: secrets 0, waiting mails 0, second factors 0, installation keys 0.',
  )
  const account = await findAccountByEmail(deps.db, owner.email)
  const { sealedSecret } = await findTotp(deps.db, account!.id)
  const factorSecrets = createFactorSecrets(createSealBox([newKey], 'second-factor'))
  const nowMs = Date.now()
  assert.notEqual(
    factorSecrets.findStep(account!.id, sealedSecret!, authenticator.codeAt(nowMs), nowMs),
    null,
  )

  const erasedOrders = await createErasedOrders(deps.db, createSealBox([newKey], 'installation-key'))
  assert.deepEqual(erasedOrders.toHash(id, 'order-1'), hash)
  const secretBox = createSealBox([newKey], 'project-secret')
  assert.equal(await readSecret({ secretBox }, deps.db, id, 'live'), secret)
  const mail = await findMail(service, owner.email, 'confirm_email')
  const opened = createSealBox([newKey], 'mail-token').open(mail!.sealed_token!, mail!.id)
  assert.equal(opened?.toString(), token)
  assert.equal((await new Client(service.app).post('/portal/api/email/confirm', { token })).status, 204)
})

test('"rekey" and "doctor" say that second factors are sealed under a key that is not configured', async () => {
  // The previous test has sealed the factors in these rows under another key.
  await rows(deps.db, 'delete from totp_factors')
  await rows(deps.db, 'delete from recovery_codes')
  const owner = await signUp(service.app)
  await owner.stepUp()
  await addApp(service, owner)
  const [oldKey] = await readMasterKeys(service.config)
  const newKey = randomBytes(32)
  const withKeys = (...keys: [Buffer, ...Buffer[]]) => ({
    ...deps,
    secretBox: createSealBox(keys, 'project-secret'),
    mailTokens: createSealBox(keys, 'mail-token'),
    installationKeys: createSealBox(keys, 'installation-key'),
    factorSecrets: createFactorSecrets(createSealBox(keys, 'second-factor')),
  })
  // Simulates a `rekey` that was killed before it sealed the second factors. The other secrets and keys are deleted,
  // because `rekey` with only the new key would fail at them.
  await rows(deps.db, 'delete from project_secrets')
  await rows(deps.db, 'delete from next_secrets')
  await rows(deps.db, 'delete from installation_keys')
  const run = async (...keys: [Buffer, ...Buffer[]]) => toPrinted(await rekey.run(withKeys(...keys), []))
  const interrupted = await run(newKey)
  assert.equal(interrupted.exitCode, 1)
  assert.match(interrupted.text, /second factors 0,.*\n.*Set SECRETS_KEY_PREVIOUS to that key/)
  const config = { ...service.config, secretsKey: newKey, secretsKeyPrevious: null }
  const [finding] = await examineMasterKey(config, service.databaseUrl)
  assert.equal(finding?.name, 'secrets_key')

  assert.match((await run(newKey, oldKey)).text, /second factors [1-9]/)
  assert.match((await run(newKey)).text, /second factors 0, installation keys 0\.$/)
  assert.deepEqual(await examineMasterKey(config, service.databaseUrl), [])
})
