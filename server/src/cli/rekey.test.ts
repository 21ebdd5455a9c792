import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { findMail, mailedToken } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { readMasterKeys } from '../lib/master-key.ts'
import { createSealBox } from '../lib/seal.ts'
import { createErasedOrders } from '../payments/erasure/erased-orders.ts'
import { readSecret } from '../secrets/secrets.ts'
import { rekey } from './rekey.ts'

const service = await startTestService()
const { deps } = service

test('rekey seals secrets, installation keys and links in queued mails again, so that the old key can be removed', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  const secret = await readSecret(deps, deps.db, id, 'live')
  const token = await mailedToken(service, owner.email, 'confirm_email')

  await deps.erasedOrders.begin()
  const hash = deps.erasedOrders.toHash(id, 'order-1')

  const [old] = await readMasterKeys(service.config)
  const newKey = randomBytes(32)
  const during = {
    ...deps,
    secretBox: createSealBox([newKey, old], 'project-secret'),
    mailTokens: createSealBox([newKey, old], 'mail-token'),
    installationKeys: createSealBox([newKey, old], 'installation-key'),
  }
  assert.equal(await rekey.run(during, []), 'Sealed again: 2 secrets, 1 waiting mails, 1 installation keys.')
  assert.equal(await rekey.run(during, []), 'Sealed again: 0 secrets, 0 waiting mails, 0 installation keys.')

  const later = await createErasedOrders(deps.db, createSealBox([newKey], 'installation-key'))
  assert.deepEqual(later.toHash(id, 'order-1'), hash)
  const secretBox = createSealBox([newKey], 'project-secret')
  assert.equal(await readSecret({ secretBox }, deps.db, id, 'live'), secret)
  const mail = await findMail(service, owner.email, 'confirm_email')
  const opened = createSealBox([newKey], 'mail-token').open(mail!.sealed_token!, mail!.id)
  assert.equal(opened?.toString(), token)
  assert.equal((await new Client(service.app).post('/portal/api/email/confirm', { token })).status, 204)
})
