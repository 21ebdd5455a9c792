// Makes pay links. Simulates a payer, who stores cookies and submits forms unchanged.
import assert from 'node:assert/strict'
import { buildPayUrl } from '@pazar/sdk'
import type { PayUrlFields } from '@pazar/sdk'
import { insertAccount } from '../src/accounts/accounts-store.ts'
import { parseEmail } from '../src/accounts/email-address.ts'
import type { Http } from '../src/http/server.ts'
import { newUuidV7 } from '../src/lib/id.ts'
import type { ProjectDeps } from '../src/projects/deps.ts'
import { insertProject } from '../src/projects/projects-store.ts'
import { issueSecrets, readSecret } from '../src/secrets/secrets.ts'

export interface PayProject {
  id: string
  secrets: { live: string; test: string }
}

export const PROJECT_FIELDS = {
  name: 'Knjižara Šćepan',
  resultUrl: 'https://shop.example.com/hvala',
  apiUrl: 'https://shop.example.com/callback',
  testApiUrl: null,
  requireSignedLinks: false,
}

/** A project with its own owner, created without a session. */
export async function addPayProject(
  deps: ProjectDeps,
  fields: Partial<typeof PROJECT_FIELDS> = {},
): Promise<PayProject> {
  const id = deps.newProjectId()
  const ownerId = newUuidV7(deps.clock)
  await deps.db.transaction(async (tx) => {
    const address = parseEmail(`owner-${ownerId}@example.com`)
    await insertAccount(tx, { id: ownerId, address, passwordHash: 'none', locale: 'en' })
    await insertProject(tx, ownerId, id, { ...PROJECT_FIELDS, ...fields })
    await issueSecrets(deps, tx, id)
  })
  const [live, test] = [
    await readSecret(deps, deps.db, id, 'live'),
    await readSecret(deps, deps.db, id, 'test'),
  ]
  return { id, secrets: { live, test } }
}

type LinkFields = Partial<Omit<PayUrlFields, 'project' | 'secret'>> & { signed?: boolean }

/** The path of a pay link, by default for 15.00. A test link is signed by default. */
export function toLink(shop: PayProject, fields: LinkFields = {}): string {
  const { signed = fields.mode === 'test', ...rest } = fields
  const secret = signed ? { secret: shop.secrets[fields.mode ?? 'live'] } : {}
  const url = buildPayUrl('http://localhost', {
    amount: '1500',
    project: shop.id,
    data: '',
    ...rest,
    ...secret,
  })
  return url.slice('http://localhost'.length)
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

function unescapeHtml(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
}

export interface PayerPage {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
  heading: string
  form: { action: string; token: string } | null
  location: string | null
  links: ReadonlyMap<string, string>
}

function toForm(text: string): PayerPage['form'] {
  const found =
    /<form method="post" action="([^"]*)"[^>]*><input type="hidden" name="token" value="([^"]*)">/.exec(text)
  return found ? { action: unescapeHtml(found[1]!), token: found[2]! } : null
}

export class Payer {
  readonly app: Http
  readonly jar = new Map<string, string>()
  headers: Record<string, string> = { accept: 'text/html,application/xhtml+xml' }

  constructor(app: Http) {
    this.app = app
  }

  async send(method: 'GET' | 'POST', url: string, form?: string): Promise<PayerPage> {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await this.app.inject({
      method,
      url,
      headers: {
        ...this.headers,
        ...(cookie ? { cookie } : {}),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === undefined ? {} : { payload: form }),
    })
    for (const one of response.cookies) {
      if (one.value === '' || one.maxAge === 0) this.jar.delete(one.name)
      else this.jar.set(one.name, one.value)
    }
    const text = response.payload
    const links = [...text.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)<\/a>/g)]
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      heading: unescapeHtml(/<h1[^>]*>(.*?)<\/h1>/.exec(text)?.[1]?.replaceAll(/<[^>]*>/g, '') ?? ''),
      form: toForm(text),
      location: response.headers.location ?? null,
      links: new Map(links.map(([, href = '', words = '']) => [unescapeHtml(words), unescapeHtml(href)])),
    }
  }

  open(url: string): Promise<PayerPage> {
    return this.send('GET', url)
  }

  press(page: PayerPage): Promise<PayerPage> {
    assert.ok(page.form, `no form on this page:\n${page.text}`)
    return this.send('POST', page.form.action, `token=${page.form.token}`)
  }

  async pay(link: string): Promise<PayerPage> {
    return this.press(await this.open(link))
  }

  async pressAsJsonClient(token: string): Promise<{ status: number; json: Record<string, unknown> }> {
    const response = await this.app.inject({ method: 'POST', url: '/pay', payload: { token } })
    return { status: response.statusCode, json: response.json<Record<string, unknown>>() }
  }
}

export function toTransactionId(url: string | null): string {
  const found = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/.exec(url ?? '')
  assert.ok(found, `no payment in ${url}`)
  return found[0]
}
