// Something to look at from the first minute: an account, an empty project, and a shop with sixty days behind it.
// Development only; it is made once and found again at every later start.
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buildPayUrl } from '@pazar/sdk'
import type { Account } from '../accounts/account.ts'
import { changePasswordHash, findAccountByEmail, insertAccount } from '../accounts/accounts-store.ts'
import { parseEmail } from '../accounts/email-address.ts'
import { newUuidV7 } from '../lib/id.ts'
import type { Project } from '../projects/project.ts'
import { findProject, insertProject, listProjects } from '../projects/projects-store.ts'
import { issueSecrets, readSecret } from '../secrets/secrets.ts'
import type { Deps } from '../wire.ts'
import { makeHistory } from './history.ts'
import { hasPayments, insertHistory, moveShop } from './history-store.ts'

const EMAIL = 'demo@example.com'
const EMPTY_NAME = 'Moj prvi projekat'
const SHOP_NAME = 'Demo prodavnica'

export interface Demo {
  email: string
  password: string
  projectId: string
  secret: string
  payLink: string
}

/** Random, so that a demo left open on a network is not open to everybody; kept, so that it can be printed again. */
async function readOrMakePassword(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'demo-password')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const fresh = randomBytes(12).toString('base64url')
  try {
    await writeFile(file, `${fresh}\n`, { flag: 'wx', mode: 0o600 })
    return fresh
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    return (await readFile(file, 'utf8')).trim()
  }
}

async function ensureAccount(deps: Deps, password: string): Promise<Account> {
  const address = parseEmail(EMAIL)
  const known = await findAccountByEmail(deps.db, address.key)
  const passwordHash = await deps.passwords.hash(password)
  return deps.db.transaction(async (tx) => {
    if (!known) return insertAccount(tx, { id: newUuidV7(deps.clock), address, passwordHash, locale: 'cnr' })
    // The file may be newer than the account, for example after a restored backup.
    return (
      (await changePasswordHash(tx, known.id, { passwordHash, fromVersion: known.credentialVersion })) ??
      known
    )
  })
}

async function ensureProject(
  deps: Deps,
  owner: Account,
  name: string,
  urls: { resultUrl: string; apiUrl: string },
): Promise<Project> {
  const known = (await listProjects(deps.db, owner.id)).find((one) => one.name === name)
  if (known) return known
  const id = deps.newProjectId()
  return deps.db.transaction(async (tx) => {
    await insertProject(tx, owner.id, id, { name, ...urls, testApiUrl: null, requireSignedLinks: false })
    await issueSecrets(deps, tx, id)
    return (await findProject(tx, owner.id, id))!
  })
}

export async function ensureDemo(deps: Deps, shopUrl: string): Promise<Demo> {
  const password = await readOrMakePassword(deps.config.dataDir)
  const owner = await ensureAccount(deps, password)
  await ensureProject(deps, owner, EMPTY_NAME, {
    resultUrl: `${deps.config.baseUrl}/pay/successful`,
    apiUrl: 'https://example.com/pazar/callback',
  })
  const urls = { resultUrl: `${shopUrl}/return`, apiUrl: `${shopUrl}/callback` }
  const shop = await ensureProject(deps, owner, SHOP_NAME, urls)
  await moveShop(deps.db, shop.id, urls)
  if (!(await hasPayments(deps.db, shop.id))) {
    const history = makeHistory(shop.id, deps.clock.nowMs())
    const project = { id: shop.id, apiUrl: urls.apiUrl, currency: deps.config.currency }
    await deps.db.transaction((tx) => insertHistory(tx, project, history))
  }
  const secret = await readSecret(deps, deps.db, shop.id, 'live')
  const payLink = buildPayUrl(deps.config.baseUrl, {
    amount: '1500',
    project: shop.id,
    data: 'Kafa 1 kg',
    secret,
  })
  return { email: EMAIL, password, projectId: shop.id, secret, payLink }
}
