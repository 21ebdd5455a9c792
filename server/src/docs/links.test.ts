import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOCALES } from '@pazar/words'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { SLUGS } from './pages.ts'

const service = await startTestService({ BASE_URL: 'https://pay.shop.test' })

function hrefsOf(text: string): string[] {
  return [...text.matchAll(/<a\s[^>]*?href="([^"]*)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'))
}

function idsOf(text: string): Set<string> {
  return new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!))
}

async function findDeadLinks(reader: Client): Promise<{ checked: number; dead: string[] }> {
  const targets = new Map<string, { status: number; ids: Set<string> }>()
  const open = async (path: string) => {
    const response = await reader.get(path, { accept: 'text/html' })
    const target = { status: response.status, ids: idsOf(response.text) }
    targets.set(path, target)
    return { ...target, text: response.text }
  }
  const dead: string[] = []
  let checked = 0
  for (const locale of LOCALES) {
    for (const slug of ['', ...SLUGS.map((one) => `/${one}`)]) {
      const from = `/${locale}/docs${slug}`
      for (const href of hrefsOf((await open(from)).text)) {
        checked += 1
        const { origin, pathname, search, hash } = new URL(href, `https://pay.shop.test${from}`)
        if (origin !== 'https://pay.shop.test') {
          dead.push(`${from}: ${href} leaves the service`)
          continue
        }
        const target = targets.get(pathname + search) ?? (await open(pathname + search))
        // Pages of the portal redirect to sign-in.
        if (target.status !== 200 && target.status !== 302) dead.push(`${from}: ${href} is ${target.status}`)
        if (hash !== '' && !target.ids.has(decodeURIComponent(hash.slice(1))))
          dead.push(`${from}: ${href} has no such heading`)
      }
    }
  }
  return { checked, dead }
}

test('without a session, every link and anchor of the guide works', async () => {
  const { checked, dead } = await findDeadLinks(new Client(service.app))
  assert.ok(checked > 500, String(checked))
  assert.deepEqual(dead, [])
})

test('with a session, every link and anchor of the guide works, and links open the reader’s own project', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  const { dead } = await findDeadLinks(owner)
  assert.deepEqual(dead, [])
  const { text } = await owner.get('/en/docs/quickstart')
  assert.ok(hrefsOf(text).includes(`/en/projects/${id}/keys?mode=test`))
})

test('the links in the Markdown pages of the guide work', async () => {
  const reader = new Client(service.app)
  const statuses = new Map<string, number>()
  for (const locale of LOCALES) {
    for (const slug of SLUGS) {
      const { text } = await reader.get(`/${locale}/docs/${slug}.md`)
      const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '')
      for (const [, href] of prose.matchAll(/\]\(([^)]+)\)/g)) {
        const { pathname } = new URL(href!, `https://pay.shop.test/${locale}/docs/${slug}.md`)
        const target = pathname.replace('/YOUR_PROJECT_ID', '/abcdefghijkl')
        const status = statuses.get(target) ?? (await reader.get(target)).status
        statuses.set(target, status)
        assert.ok(status === 200 || status === 302, `${locale}/${slug}.md: ${href} is ${status}`)
      }
    }
  }
})
