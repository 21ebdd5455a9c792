import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink } from '../../test/payer.ts'

const service = await startTestService()
const shop = await addPayProject(service.deps)

const newPayer = () => new Payer(service.app)
const newCustomId = () => `order-${randomUUID()}`

/** Sends a GET with an absolute URL in its request line, as clients send to a proxy. */
async function requestAbsoluteUrl(port: number, url: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${url} HTTP/1.1\r\nhost: localhost\r\naccept: text/html\r\nconnection: close\r\n\r\n`)
  return text(socket)
}

test('a language chosen in a URL is used for later pages, until another language is chosen', async () => {
  const payer = newPayer()
  await payer.open(toLink(shop, { lang: 'cnr' }))
  assert.equal(payer.jar.get('lang'), 'cnr')
  assert.equal((await payer.open(toLink(shop, { amount: '700' }))).heading, 'Plaćanje')
  await payer.open(`${toLink(shop)}&lang=en`)
  assert.equal(payer.jar.get('lang'), 'en')
})

test('after a press of Pay, the link to the other language opens the same page', async () => {
  const payer = newPayer()
  const declined = await payer.pay(toLink(shop, { amount: '4000', lang: 'en' }))
  const otherLanguageUrl = declined.links.get('Crnogorski')
  assert.ok(otherLanguageUrl)
  const page = await payer.open(otherLanguageUrl)
  assert.match(page.text, /Plaćanje nije uspjelo/)
  assert.match(page.text, /Ovaj pokušaj nije naplaćen\./)
})

test('the link to the other language changes only the language in the URL', async () => {
  const link = `${toLink(shop, { customId: newCustomId(), signed: true })}&utm_source=a?b&x=%2F`
  for (const query of ['', '&lang=en', '&l%61ng=en']) {
    const page = await newPayer().open(link + query)
    assert.equal(page.links.get('Crnogorski'), `${link}&lang=cnr`, query)
  }
  const raw = toLink(shop).replace('data=', 'data=a?b')
  const otherLanguageUrl = (await newPayer().open(raw)).links.get('Crnogorski')
  assert.equal(otherLanguageUrl, `${raw}&lang=cnr`)
})

test('no page links to a host that comes from the request line', async () => {
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const address = service.app.server.address()
  assert.ok(typeof address === 'object' && address !== null)
  for (const path of [toLink(shop), '/pay?amount=0', '/pay/successful', '/pay/nothing', '/sandbox/bank/1']) {
    const response = await requestAbsoluteUrl(address.port, `http://evil.test${path}`)
    assert.match(response, /Crnogorski/, path)
    assert.doesNotMatch(response, /evil/, path)
  }
})

test('an unknown language in the URL is ignored', async () => {
  for (const lang of ['../../etc', '<script>', 'de', '', 'cnr,en'].map(encodeURIComponent)) {
    const page = await newPayer().open(`${toLink(shop)}&lang=${lang}`)
    assert.equal(page.status, 200, lang)
    assert.equal(page.heading, 'Pay Knjižara Šćepan', lang)
  }
})

test('neither the Host header nor a parameter can change the host of our links or of the return URL', async () => {
  const response = await service.app.inject({
    url: `${toLink(shop)}&resultUrl=https://evil.example&return=https://evil.example`,
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', accept: 'text/html' },
  })
  const withoutOwnQuery = response.payload.replaceAll(/(?:action|href)="\/pay[^"]*"/g, '')
  assert.doesNotMatch(withoutOwnQuery, /evil/)
  assert.match(response.payload, /You are paying at localhost:3000/)
})
