// The bank and the merchant each redirect the payer twice. After a form is sent, Chromium checks every redirect against
// `form-action` of the page's Content-Security-Policy. The host names are not localhost, because Chromium trusts localhost
// as much as it trusts https.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { Backend, Charge, NewCharge } from '../../src/backends/backend.ts'
import { launchBrowser } from '../browser.ts'
import { startTestService } from '../harness.ts'
import { addPayProject, toLink } from '../payer.ts'
import { freePort } from '../service-process.ts'
import { watchPage } from './watched-page.ts'

/** Only the browser of this test resolves these names. */
const NAMES = '*.payer.example'

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const requests: { host: string; url: string; referer: string | undefined }[] = []

/** The first name redirects to the second, the second to the third, and the third shows a page. */
async function startChain(
  names: readonly [string, string, string],
  show: (url: string) => string,
): Promise<string> {
  const port = await serve((req, res) => {
    const host = (req.headers.host ?? '').split(':')[0]!
    const position = names.indexOf(host)
    requests.push({ host, url: req.url ?? '', referer: req.headers.referer })
    if (position < 2) {
      res
        .writeHead(position === 0 ? 301 : 302, {
          location: `http://${names[position + 1]}:${port}${req.url}`,
        })
        .end()
      return
    }
    res.setHeader('content-type', 'text/html; charset=utf-8')
    res.end(
      `<!doctype html><html lang="en"><title>x</title><link rel="icon" href="data:,">${show(req.url ?? '')}</html>`,
    )
  })
  return `http://${names[0]}:${port}`
}

const shopUrl = await startChain(
  ['shop.payer.example', 'www.shop.payer.example', 'store.payer.example'],
  () => '<h1>Thank you</h1>',
)
const bankUrl = await startChain(
  ['acs.bank.payer.example', 'login.bank.payer.example', '3ds.payer.example'],
  (url) =>
    `<form action="${new URL(`http://x${url}`).searchParams.get('back')}"><input type="hidden" name="return" value="1"><button>Approve</button></form>`,
)

/** An upstream that requires a step on the bank's site for every payment. */
function createBank(): Backend {
  const charges = new Map<string, Charge>()
  return {
    name: 'sandbox',
    accounts: ['sandbox', null],
    async create(charge: NewCharge) {
      const back = encodeURIComponent(charge.returnUrl.split('?')[0]!)
      const opened: Charge = {
        id: charge.id,
        status: 'requires_action',
        amount: charge.amount,
        currency: charge.currency,
        projectId: null,
        chargeId: null,
        failureCode: null,
        actionUrl: `${bankUrl}/start?back=${back}`,
      }
      charges.set(charge.id, { ...opened, status: 'succeeded', actionUrl: null })
      return opened
    },
    find: async (id) => charges.get(id) ?? null,
    cancel: async (id) => ({ ...charges.get(id)!, status: 'cancelled' }),
  }
}

const port = await freePort()
const baseUrl = `http://pay.payer.example:${port}`
const service = await startTestService({ BASE_URL: baseUrl })
await service.app.listen({ port, host: '127.0.0.1' })
const shop = await addPayProject(service.deps, { resultUrl: `${shopUrl}/hvala?order=7` })
const browser = await launchBrowser(NAMES)
after(() => browser.close())

for (const javaScriptEnabled of [true, false]) {
  const script = javaScriptEnabled ? 'with script' : 'without script'

  test(`a payer reaches a merchant that redirects twice across origins (${script})`, async () => {
    const watched = await watchPage(browser, { javaScriptEnabled })
    const { page } = watched
    await page.goto(baseUrl + toLink(shop))
    await page.click('main form button')
    await page.waitForURL(/^http:\/\/store\.payer\.example:\d+\/hvala\?order=7&status=success&transactionId=/)
    assert.deepEqual(watched.faults, [])
    await watched.close()
  })

  test(`a payer reaches a bank that redirects twice across origins, and from there the merchant (${script})`, async (t) => {
    const { live } = service.deps.backends
    service.deps.backends.live = createBank()
    t.after(() => {
      service.deps.backends.live = live
    })
    const watched = await watchPage(browser, { javaScriptEnabled })
    const { page } = watched
    await page.goto(baseUrl + toLink(shop))
    await page.click('main form button')
    await page.waitForURL(/^http:\/\/3ds\.payer\.example:\d+\/start/)
    await page.click('button')
    await page.waitForURL(/^http:\/\/store\.payer\.example:\d+\/hvala\?order=7&status=success/)
    assert.deepEqual(watched.faults, [])
    await watched.close()
  })
}

test('the Referer sent to the merchant and the bank does not contain the link', () => {
  assert.ok(requests.length > 0)
  for (const { host, referer } of requests)
    assert.equal(referer?.includes('pay.payer.example') ?? false, false, host)
})

// Over plain http the browser sends Origin, but no Sec-Fetch-Site.
test('over plain http a form sent from a page of another origin is refused', async () => {
  const watched = await watchPage(browser)
  const { page } = watched
  await page.goto(baseUrl + toLink(shop))
  const token = await page.inputValue('input[name=token]')
  const evil = await serve((_req, res) => {
    res.setHeader('content-type', 'text/html; charset=utf-8')
    res.end(
      `<!doctype html><title>x</title><form method="post" action="${baseUrl}/pay"><input name="token" value="${token}"><button>Win</button></form>`,
    )
  })
  await page.goto(`http://evil.payer.example:${evil}/`)
  await page.click('button')
  await page.waitForURL(`${baseUrl}/pay`)
  assert.equal(watched.status(), 403)
  await watched.close()
})

test('the page cannot be shown inside another site’s page', async () => {
  const watched = await watchPage(browser)
  const evil = await serve((_req, res) => {
    res.setHeader('content-type', 'text/html; charset=utf-8')
    res.end(
      `<!doctype html><title>x</title><iframe src="${baseUrl}${toLink(shop).replaceAll('&', '&amp;')}"></iframe>`,
    )
  })
  await watched.page.goto(`http://evil.payer.example:${evil}/`)
  const frame = watched.page.frames()[1]
  assert.ok(frame)
  assert.equal(await frame.locator('form').count(), 0)
  assert.match(watched.faults.join('\n'), /frame-ancestors|X-Frame-Options/i)
  await watched.close()
})
