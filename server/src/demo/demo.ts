// Demo data for development: an account, an empty project, and a shop with sixty days of history.
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { CallbackEventName } from '@pazar/contract'
import { buildPayUrl } from '@pazar/sdk'
import type { Account } from '../accounts/account.ts'
import { changePasswordHash, findAccountByEmail, insertAccount } from '../accounts/accounts-store.ts'
import { parseEmail } from '../accounts/email-address.ts'
import { newUuidV7 } from '../lib/id.ts'
import { ServiceError } from '../lib/service-error.ts'
import { toInboxUrl } from '../projects/own-urls.ts'
import type { Project } from '../projects/project.ts'
import { findProject, insertProject, listOwnedProjects, replaceUrls } from '../projects/projects-store.ts'
import { issueSecrets, readSecret } from '../secrets/secrets.ts'
import type { Deps } from '../wire.ts'
import { makeHistory } from './history.ts'
import { hasPayments, insertHistory } from './history-store.ts'

const EMAIL = 'demo@example.com'
const EMPTY_PROJECT_NAME = 'Moj prvi projekat'
const SHOP_NAME = 'Tezga'
const SHOP_EVENTS: CallbackEventName[] = ['payment.result', 'refund.result']

interface Urls {
  resultUrl: string
  apiUrl: string
}

export interface Demo {
  email: string
  password: string
  projectId: string
  secret: string
  testSecret: string
  payLink: string
}

interface DemoFile {
  password: string
  shopId?: string
}

/**
 * A new password is random, because the demo may be reachable on a network. An empty file counts as missing: a full
 * disk can leave one.
 */
async function readDemoFile(file: string): Promise<DemoFile> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text === '' ? { password: randomBytes(12).toString('base64url') } : (JSON.parse(text) as DemoFile)
}

async function ensureAccount(deps: Deps, password: string): Promise<Account> {
  const address = parseEmail(EMAIL)
  const existing = await findAccountByEmail(deps.db, address.key)
  const passwordHash = await deps.passwords.hash(password)
  return deps.db.transaction(async (tx) => {
    if (!existing)
      return insertAccount(tx, { id: newUuidV7(deps.clock), address, passwordHash, locale: 'cnr' })
    // The file may be newer than the account, so the account gets the password of the file.
    return (
      (await changePasswordHash(tx, existing.id, {
        passwordHash,
        fromVersion: existing.credentialVersion,
      })) ?? existing
    )
  })
}

async function addDemoProject(
  deps: Deps,
  owner: Account,
  name: string,
  /** Without `apiUrl`, callbacks go to the inbox of the project. */
  { apiUrl, ...chosen }: Pick<Urls, 'resultUrl'> & Partial<Urls> & { events?: CallbackEventName[] },
): Promise<Project | null> {
  const id = deps.newProjectId()
  return deps.db.transaction(async (tx) => {
    const inbox = toInboxUrl(deps.config.baseUrl, id)
    const settings = { name, ...chosen, apiUrl: apiUrl ?? inbox, testApiUrl: null, requireSignedLinks: false }
    if (!(await insertProject(tx, owner.id, id, settings))) return null
    await issueSecrets(deps, tx, id)
    return findProject(tx, owner.id, id)
  })
}

/** The project is found by its name if the first start failed before it stored the id. */
async function ensureShopProject(
  deps: Deps,
  owner: Account,
  shopId: string | undefined,
  urls: Urls,
): Promise<Project> {
  const all = (await listOwnedProjects(deps.db, owner.id)).filter((one) => one.archivedAt === null)
  const existing = all.find((one) => (shopId === undefined ? one.name === SHOP_NAME : one.id === shopId))
  if (existing) return existing
  if (all.length === 0) {
    const resultUrl = `${deps.config.baseUrl}/pay/successful`
    await addDemoProject(deps, owner, EMPTY_PROJECT_NAME, { resultUrl })
  }
  return (await addDemoProject(deps, owner, SHOP_NAME, { ...urls, events: SHOP_EVENTS })) ?? all[0]!
}

/** How often a start tries to make the demo data. On a busy machine, the first connections to the database may fail. */
const ATTEMPTS_MAX = 10

export async function ensureDemo(deps: Deps, shopUrl: string): Promise<Demo> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ensureDemoOnce(deps, shopUrl)
    } catch (error) {
      const isUnavailable = error instanceof ServiceError && error.code === 'unavailable'
      if (!isUnavailable || attempt === ATTEMPTS_MAX) throw error
    }
  }
}

async function ensureDemoOnce(deps: Deps, shopUrl: string): Promise<Demo> {
  const file = path.join(deps.config.dataDir, 'demo.json')
  await mkdir(deps.config.dataDir, { recursive: true, mode: 0o700 })
  const { password, shopId } = await readDemoFile(file)
  const owner = await ensureAccount(deps, password)
  const urls = { resultUrl: `${shopUrl}/return`, apiUrl: `${shopUrl}/callback` }
  const shop = await ensureShopProject(deps, owner, shopId, urls)
  await writeFile(file, JSON.stringify({ password, shopId: shop.id }), { mode: 0o600 })
  await replaceUrls(deps.db, shop.id, urls)
  if (!(await hasPayments(deps.db, shop.id))) {
    const history = makeHistory(shop.id, deps.config.baseUrl, deps.clock.nowMs())
    const project = { id: shop.id, apiUrl: urls.apiUrl, currency: deps.config.currency }
    await deps.db.transaction((tx) => insertHistory(tx, project, history))
  }
  const secret = await readSecret(deps, deps.db, shop.id, 'live')
  const testSecret = await readSecret(deps, deps.db, shop.id, 'test')
  const payLink = buildPayUrl(deps.config.baseUrl, {
    amount: '1500',
    project: shop.id,
    data: 'Kafa 1 kg',
    secret,
  })
  return { email: EMAIL, password, projectId: shop.id, secret, testSecret, payLink }
}
