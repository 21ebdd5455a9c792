// What the first view costs on the wire, measured where it counts: in a browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { newPerson } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const SCRIPT_MAX_BYTES = 150 * 1024
const STYLE_MAX_BYTES = 14 * 1024
const PAGE_SCRIPT_MAX_BYTES = 25 * 1024

const { service, browser } = await startPortal()

test('the first view stays within its bytes and loads nothing from elsewhere; pages come on their own', async (t) => {
  const one = await newPerson(browser, { baseUrl: service.baseUrl, locale: 'cnr' })
  const sizes = new Map<string, number>()
  const foreign: string[] = []
  one.page.on('response', (response) => {
    const url = new URL(response.url())
    if (url.protocol !== 'data:' && url.origin !== service.baseUrl) foreign.push(url.href)
    if (url.pathname.startsWith('/portal-assets/'))
      void response.body().then((body) => sizes.set(url.pathname, gzipSync(body, { level: 9 }).length))
  })
  const total = (ending: string) =>
    [...sizes].filter(([name]) => name.endsWith(ending)).reduce((sum, [, bytes]) => sum + bytes, 0)

  await one.open('/sign-in')
  await one.page.waitForLoadState('networkidle')
  t.diagnostic(`sign-in: ${total('.js')} bytes of script, ${total('.css')} of style, gzip`)
  assert.ok(total('.js') > 0 && total('.js') <= SCRIPT_MAX_BYTES, String(total('.js')))
  assert.ok(total('.css') > 0 && total('.css') <= STYLE_MAX_BYTES, String(total('.css')))

  const { email, password } = service
  await one.context.request.post('/portal/api/sign-in', { data: { email, password } })
  const projectId = /project=([a-z0-9]+)/.exec(service.payLink)?.[1]
  await one.open('/projects')
  await one.page.waitForLoadState('networkidle')
  for (const page of ['', '/transactions', '/link', '/keys', '/settings', '/status', '/exam', '/debug']) {
    sizes.clear()
    await one.open(`/projects/${projectId}${page}`)
    await one.page.waitForLoadState('networkidle')
    assert.ok(total('.js') <= SCRIPT_MAX_BYTES, `${page}: ${total('.js')}`)
    const own = [...sizes].filter(([name]) => /\/page-/.test(name)).map(([, bytes]) => bytes)
    assert.ok(Math.max(0, ...own) <= PAGE_SCRIPT_MAX_BYTES, `${page}: ${own.join(' ')}`)
  }
  assert.deepEqual(foreign, [])
  await one.close()
})
