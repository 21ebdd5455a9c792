// Where the journeys happen: one service and browser for all, people who go through the portal, and every call they make,
// so that at the end it can be told what nobody has used.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locale } from '@pazar/words'
import { share } from '../../counts.ts'
import { newPerson } from '../portal-browser.ts'
import type { Call, Hand, Person } from '../portal-browser.ts'
import type { Portal } from '../portal-service.ts'

export const PASSWORD = 'sedam plavih brodova kod obale'

export const COMBINATIONS: [Hand, Locale][] =
  share === 'prove'
    ? [
        ['mouse', 'cnr'],
        ['mouse', 'en'],
        ['keyboard', 'cnr'],
        ['keyboard', 'en'],
      ]
    : [
        ['mouse', 'cnr'],
        ['keyboard', 'en'],
      ]

/** Whom the first journey of each combination signs up. */
export function emailOf(hand: Hand, locale: Locale): string {
  return `${hand}-${locale}@example.com`
}

export class World {
  readonly service: Portal['service']
  readonly calls: Call[] = []
  readonly #browser: Portal['browser']
  readonly #dataDir: string

  constructor({ service, browser, dataDir }: Portal) {
    this.service = service
    this.#browser = browser
    this.#dataDir = dataDir
  }

  person(hand: Hand, locale: Locale): Promise<Person> {
    return newPerson(this.#browser, { baseUrl: this.service.baseUrl, locale, hand }, this.calls)
  }

  /** Signed in to the demo's account, on the overview of its shop. */
  async atTheShop(hand: Hand, locale: Locale, query = ''): Promise<Person> {
    const one = await this.person(hand, locale)
    const { email, password } = this.service
    await one.context.request.post('/portal/api/sign-in', { data: { email, password } })
    const answer = await one.context.request.post('/sdk/project/list', { data: {} })
    const { projects } = (await answer.json()) as { projects: { id: string; name: string }[] }
    const shop = projects.find(({ name }) => name === 'Demo prodavnica')
    await one.open(`/projects/${shop?.id}${query}`)
    return one
  }

  /** Test callbacks to an address that answers 404, so that there is something to send again. */
  async failCallbacks(one: Person, howMany: number): Promise<void> {
    const projectId = /projects\/([a-z0-9]+)/.exec(one.page.url())?.[1] ?? ''
    const { request } = one.context
    const aim = async (testApiUrl: string | null) => {
      const answer = await request.post('/sdk/project/update', { data: { projectId, testApiUrl } })
      assert.equal(answer.status(), 200, await answer.text())
    }
    await aim(`${this.service.shopUrl}/no-such-page`)
    for (let round = 0; round < howMany; round += 1) {
      const data = { status: 'success', amount: '1500', customId: `lost-${round}` }
      const answer = await request.post(`/portal/api/projects/${projectId}/test-callbacks`, { data })
      assert.equal(answer.status(), 200, await answer.text())
    }
    await aim(null)
  }

  /** What the newest mail to this address leads to. */
  async mailedToken(to: string, pageName: string): Promise<string> {
    for (let tries = 0; tries < 150; tries += 1) {
      const folder = path.join(this.#dataDir, 'mail')
      const files = await readdir(folder).catch(() => []) // No mail yet, so no folder yet.
      for (const file of files.sort().toReversed()) {
        const text = await readFile(path.join(folder, file), 'utf8')
        const token = new RegExp(`/${pageName}#token=([\\w-]+)`).exec(text)?.[1]
        if (token && text.includes(`To: ${to}`)) return token
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error(`no ${pageName} mail came for ${to}`)
  }
}

export async function readClipboard(one: Person): Promise<string> {
  return one.page.evaluate(() => navigator.clipboard.readText())
}
