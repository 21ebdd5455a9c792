import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { newUser } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

// All sizes are measured after gzip.
const SCRIPT_MAX_BYTES = 150 * 1024
const STYLE_MAX_BYTES = 14 * 1024
const PAGE_SCRIPT_MAX_BYTES = 25 * 1024

const { service, browser } = await startPortal()

test('the first view and the main pages stay within their budgets and load nothing from other origins', async (t) => {
  const user = await newUser(browser, { baseUrl: service.baseUrl, locale: 'cnr' })
  const sizes = new Map<string, number>()
  const pendingBodies: Promise<unknown>[] = []
  const fromOtherOrigins: string[] = []
  user.page.on('response', (response) => {
    const url = new URL(response.url())
    if (url.protocol !== 'data:' && url.origin !== service.baseUrl) fromOtherOrigins.push(url.href)
    if (url.pathname.startsWith('/portal-assets/'))
      pendingBodies.push(
        response.body().then((body) => sizes.set(url.pathname, gzipSync(body, { level: 9 }).length)),
      )
  })
  const open = async (path: string) => {
    await user.open(path)
    await user.page.waitForLoadState('networkidle')
    await Promise.all(pendingBodies.splice(0))
  }
  const total = (ending: string) =>
    [...sizes].filter(([name]) => name.endsWith(ending)).reduce((sum, [, bytes]) => sum + bytes, 0)

  await open('/sign-in')
  t.diagnostic(`sign-in: ${total('.js')} bytes of script, ${total('.css')} of style, gzip`)
  assert.ok(total('.js') > 0 && total('.js') <= SCRIPT_MAX_BYTES, String(total('.js')))
  assert.ok(total('.css') > 0 && total('.css') <= STYLE_MAX_BYTES, String(total('.css')))

  const { email, password } = service
  await user.context.request.post('/portal/api/sign-in', { data: { email, password } })
  const projectId = /project=([a-z0-9]+)/.exec(service.payLink)?.[1]
  await open('/projects')
  for (const page of [
    '',
    '/transactions',
    '/statement',
    '/link',
    '/keys',
    '/settings',
    '/status',
    '/exam',
    '/debug',
  ]) {
    sizes.clear()
    await open(`/projects/${projectId}${page}`)
    // A page that is opened directly loads its own scripts and those of the first view.
    t.diagnostic(`${page || 'overview'}: ${total('.js')} bytes of script`)
    assert.ok(total('.js') <= SCRIPT_MAX_BYTES + PAGE_SCRIPT_MAX_BYTES, `${page}: ${total('.js')}`)
    const pageScripts = [...sizes].filter(([name]) => /\/page-/.test(name)).map(([, bytes]) => bytes)
    assert.ok(Math.max(0, ...pageScripts) <= PAGE_SCRIPT_MAX_BYTES, `${page}: ${pageScripts.join(' ')}`)
  }
  assert.deepEqual(fromOtherOrigins, [])
  await user.close()
})
