// Shared by all journeys: one service, one browser, and a record of every request.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { Locale } from '@pazar/words'
import { closeContext } from '../../browser.ts'
import { countRounds, runShare } from '../../counts.ts'
import { until } from '../../until.ts'
import { newUser } from '../portal-browser.ts'
import type { RecordedRequest, Input, PortalUser } from '../portal-browser.ts'
import { listUnavailable, startPortal } from '../portal-service.ts'
import type { Portal } from '../portal-service.ts'

export const PASSWORD = 'sedam plavih brodova kod obale'

export const COMBINATIONS: [Input, Locale][] =
  runShare === 'prove'
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

const LISTED_REQUESTS = 15
const SHOWN_LENGTH_MAX = 2_000

const journeys: string[] = []

/** Returns the function `test` for one combination. In `npm test`, each combination runs every second journey. */
export function testInTurn(input: Input, locale: Locale) {
  const combination = COMBINATIONS.findIndex((one) => one[0] === input && one[1] === locale)
  return (journey: string, run: () => Promise<void>): void => {
    if (!journeys.includes(journey)) journeys.push(journey)
    const turn = (journeys.indexOf(journey) + combination) % COMBINATIONS.length
    if (turn < countRounds('journeyCombinations'))
      void test(`by ${input} in ${locale}: ${journey}`, () => run().catch(explain))
  }
}

async function explain(error: unknown): Promise<never> {
  const lines = [String(error), ...listUnavailable(world.service), ...(await world.closePages())]
  throw new Error(lines.join('\n'), { cause: error })
}

/** The address of the account that the first journey of each combination creates. */
export function emailOf(input: Input, locale: Locale): string {
  return `${input}-${locale}@example.com`
}

class World {
  readonly service: Portal['service']
  readonly calls: RecordedRequest[] = []
  readonly #browser: Portal['browser']
  readonly #dataDir: string
  readonly #users: PortalUser[] = []

  constructor({ service, browser, dataDir }: Portal) {
    this.service = service
    this.#browser = browser
    this.#dataDir = dataDir
  }

  async newUser(input: Input, locale: Locale): Promise<PortalUser> {
    const { baseUrl } = this.service
    const user = await newUser(this.#browser, { baseUrl, locale, input }, this.calls)
    this.#users.push(user)
    return user
  }

  /** Closes the pages that a failed journey has left open, and returns what they showed. */
  async closePages(): Promise<string[]> {
    const requests = this.calls.slice(-LISTED_REQUESTS).map((call) => `  ${call.method} ${call.path}`)
    const left = this.#users.splice(0).filter(({ page }) => !page.isClosed())
    const shown = left.map(async ({ page, faults, context }) => {
      const text = await page.innerText('main', { timeout: 1_000 }).catch(String)
      await closeContext(context)
      return [`${page.url()} showed:`, text.slice(0, SHOWN_LENGTH_MAX), ...faults].join('\n')
    })
    return left.length === 0 ? [] : ['The last requests:', ...requests, ...(await Promise.all(shown))]
  }

  async openDemo(input: Input, locale: Locale, query = ''): Promise<PortalUser> {
    const user = await this.newUser(input, locale)
    const { email, password } = this.service
    await user.context.request.post('/portal/api/sign-in', { data: { email, password } })
    const response = await user.context.request.post('/sdk/project/list', { data: {} })
    const { projects } = (await response.json()) as { projects: { id: string; name: string }[] }
    const shop = projects.find(({ name }) => name === 'Tezga')
    await user.open(`/projects/${shop?.id}${query}`)
    return user
  }

  /** Sends test callbacks to a URL that returns 404, so that there is something to resend. */
  async failCallbacks(user: PortalUser, count: number): Promise<void> {
    const projectId = /projects\/([a-z0-9]+)/.exec(user.page.url())?.[1] ?? ''
    const { request } = user.context
    const setTestUrl = async (testApiUrl: string | null) => {
      const response = await request.post('/sdk/project/update', { data: { projectId, testApiUrl } })
      assert.equal(response.status(), 200, await response.text())
    }
    await setTestUrl(`${this.service.shopUrl}/no-such-page`)
    for (let round = 0; round < count; round += 1) {
      const data = { status: 'success', amount: '1500', customId: `lost-${round}` }
      const response = await request.post(`/portal/api/projects/${projectId}/test-callbacks`, { data })
      assert.equal(response.status(), 200, await response.text())
    }
    await setTestUrl(null)
  }

  /** Waits for a mail to `to` with a link to the page `pageName`. Returns the newest token that is not equal to `not`. */
  async mailedToken(to: string, pageName: string, not?: string): Promise<string> {
    const folder = path.join(this.#dataDir, 'mail')
    return until(async () => {
      const files = await readdir(folder).catch(() => []) // The folder does not exist before the first mail.
      // The name of an unfinished mail ends in .part.
      const complete = files.filter((file) => file.endsWith('.eml')).sort()
      for (const file of complete.toReversed()) {
        const text = await readFile(path.join(folder, file), 'utf8')
        const token = new RegExp(`/${pageName}#token=([\\w-]+)`).exec(text)?.[1]
        if (token && token !== not && text.includes(`To: ${to}`)) return token
      }
      return null
    }, `a ${pageName} mail arrives for ${to}`)
  }
}

export async function readClipboard(user: PortalUser): Promise<string> {
  return user.page.evaluate(() => navigator.clipboard.readText())
}

export const world = new World(await startPortal())
