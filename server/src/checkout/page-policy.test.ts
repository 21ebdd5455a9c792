// The headers, the content security policy and the size of responses to payers.
// Sandbox amounts: 4000 is declined; 4003 gets no response and is not charged; 4004 waits for the payer at the bank page.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { addBrandedProject } from '../../test/branded-project.ts'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink, toTransactionId } from '../../test/payer.ts'
import type { PayerPage } from '../../test/payer.ts'
import { payerScript } from './payer-script.ts'

const service = await startTestService()
const { deps } = service
const shop = await addPayProject(deps)

async function collectResponses(): Promise<Map<string, PayerPage>> {
  const payer = new Payer(service.app)
  const ready = await payer.open(toLink(shop))
  const paid = await payer.press(ready)
  const pending = await payer.pay(toLink(shop, { amount: '4003' }))
  const atBank = await payer.pay(toLink(shop, { amount: '4004' }))
  const idAtBank = toTransactionId(atBank.location)
  const bank = `/sandbox/bank/${idAtBank}`
  return new Map([
    ['ready', ready],
    ['paid', paid],
    ['paid, opened again', await payer.open(toLink(shop))],
    ['declined', await payer.pay(toLink(shop, { amount: '4000' }))],
    ['pending', await payer.open(`/pay/${toTransactionId(pending.location)}`)],
    ['bank step', await payer.open(toLink(shop, { amount: '4004' }))],
    ['back from the bank', await payer.open(`/pay/${idAtBank}?return=1`)],
    ['back from the bank in Montenegrin', await payer.open(`/pay/${idAtBank}?return=1&lang=cnr`)],
    ['sandbox bank', await payer.open(bank)],
    ['receipt', await payer.open(`/pay/${toTransactionId(paid.location)}`)],
    ['plain confirmation', await payer.open('/pay/successful')],
    ['bad link', await payer.open('/pay')],
    ['expired', await payer.open(toLink(shop, { exp: 1 }))],
    ['unknown payment', await payer.open('/pay/nothing')],
    ['tampered', await payer.send('POST', '/pay', 'token=AAAA')],
    ['no form', await payer.send('POST', '/pay', '')],
    ['sandbox bank submitted', await payer.send('POST', bank, 'outcome=approve')],
  ])
}

const responses = await collectResponses()
const inventory = await readFile(new URL('../../../docs/scripts.md', import.meta.url), 'utf8')

function policyOf(page: PayerPage): Map<string, string> {
  const parts = String(page.headers['content-security-policy']).split('; ')
  return new Map(parts.map((part) => [part.split(' ')[0]!, part.slice(part.indexOf(' ') + 1)]))
}

for (const [caseName, page] of responses) {
  test(`headers of "${caseName}" forbid framing, sniffing, storing, and loading anything that is not listed`, () => {
    assert.equal(page.headers['x-frame-options'], 'DENY')
    assert.equal(page.headers['x-content-type-options'], 'nosniff')
    assert.equal(page.headers['referrer-policy'], 'same-origin')
    assert.equal(page.headers['cross-origin-opener-policy'], 'same-origin')
    assert.match(String(page.headers['permissions-policy']), /payment=\(\)/)
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.equal(page.headers['server'], undefined)
    assert.equal(page.headers['x-powered-by'], undefined)
    const policy = policyOf(page)
    assert.equal(policy.get('default-src'), "'none'")
    assert.equal(policy.get('base-uri'), "'none'")
    assert.equal(policy.get('frame-ancestors'), "'none'")
    assert.match(policy.get('form-action') ?? '', /^'self' https:/)
    assert.doesNotMatch(String(page.headers['content-security-policy']), /unsafe|\*/)
  })

  test(`markup of "${caseName}" has only the style and script that the policy lists`, () => {
    const policy = policyOf(page)
    for (const [tag, directive] of [
      ['style', 'style-src'],
      ['script', 'script-src'],
    ] as const) {
      const found = [...page.text.matchAll(new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))]
      const hashes = found.map(
        ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
      )
      assert.equal(policy.get(directive), hashes.length > 0 ? hashes.join(' ') : undefined)
    }
    const markup = page.text.replaceAll(/<(style|script)>[\s\S]*?<\/\1>/g, '')
    assert.doesNotMatch(markup, /\son\w+\s*=|\sstyle\s*=|javascript:|<(?:iframe|object|embed|base|img)\b/i)
    assert.doesNotMatch(markup, /\ssrc=|rel="?(?:stylesheet|preload|modulepreload|dns-prefetch)/i)
  })
}

const VARYING_HEADERS = new Set(['x-request-id', 'date', 'content-length', 'connection', 'keep-alive'])

/** Returns the headers and body as served, without the parts that differ in each run, such as the token. */
function toServedText({ headers, text }: PayerPage): string {
  const lines = Object.entries(headers)
    .filter(([name]) => !VARYING_HEADERS.has(name))
    .map(([name, value]) => `${name}: ${[value].flat().join(', ')}\n`)
    .toSorted()
    .map((line) => line.replace(/attempt-[\w-]+=[\w-]+/, 'attempt'))
  return `${lines.join('')}\n${text.replace(/name="token" value="[\w-]+"/, 'token').replaceAll(shop.id, 'project')}`
}

for (const lang of ['cnr', 'en']) {
  test(`the pay page and its headers have the hash in docs/scripts.md (${lang})`, async () => {
    const page = await new Payer(service.app).open(toLink(shop, { lang }))
    assert.ok(page.form)
    const hash = createHash('sha256').update(toServedText(page)).digest('hex')
    const row = `| ready, ${lang} | ${hash} |`
    assert.ok(inventory.includes(row), `if the change is intended, docs/scripts.md must have the row ${row}`)
  })
}

test('docs/scripts.md lists the hash of the script of payer pages, and no other', () => {
  const listed = inventory.match(/sha256-[A-Za-z0-9+/=]{44}/g)
  assert.deepEqual(listed, [payerScript.hash], `docs/scripts.md must list ${payerScript.hash}`)
})

test('form-action names the origin of a plain http result URL, but only the scheme of an https result URL', async () => {
  const { app, deps: own } = await service.replica({ BASE_URL: 'https://pay.example.me' })
  const plain = await addPayProject(own, { resultUrl: 'http://shop.local.example:8080/hvala?x=1' })
  const formAction = async (linkShop: typeof shop) =>
    policyOf(await new Payer(app).open(toLink(linkShop))).get('form-action')
  assert.equal(await formAction(shop), "'self' https:")
  assert.equal(policyOf(await new Payer(service.app).open(toLink(shop))).get('form-action'), "'self' https:")
  assert.equal(await formAction(plain), "'self' https: http://shop.local.example:8080 http:")
})

test('a result URL whose host is not a DNS name adds no origin to the policy, and links of its project can be paid', async () => {
  const hosts = ["a;script-src'*'", 'a,b', "a'b", 'a"b', 'a*b', 'a!b', 'a$b', 'a(b', 'a_b', '*']
  for (const host of hosts) {
    const oddProject = await addPayProject(deps, { resultUrl: `http://${host}.example:8080/x` })
    const page = await new Payer(service.app).open(toLink(oddProject))
    assert.equal(page.status, 200, host)
    assert.equal(policyOf(page).get('form-action'), "'self' https: http:", host)
    const normal = await new Payer(service.app).open(toLink(shop))
    assert.deepEqual([...policyOf(page).keys()], [...policyOf(normal).keys()], host)
    assert.equal((await new Payer(service.app).pay(toLink(oddProject))).status, 303, host)
  }
})

test('over https the attempt’s cookie has the prefix __Host-, and HSTS is sent', async () => {
  const { app } = await service.replica({ BASE_URL: 'https://pay.example.me' })
  const response = await app.inject({ url: toLink(shop) })
  assert.match(
    String(response.headers['set-cookie']),
    /^__Host-attempt-[\w-]{16}=[\w-]+; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  assert.match(String(response.headers['strict-transport-security']), /max-age=\d{8}/)
})

async function fetchRaw(port: number, path: string): Promise<{ head: string; body: Buffer }> {
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: localhost\r\naccept: text/html\r\naccept-encoding: gzip, deflate, br\r\nconnection: close\r\n\r\n`,
  )
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const headEnd = bytes.indexOf('\r\n\r\n')
  return { head: bytes.subarray(0, headEnd).toString('latin1'), body: bytes.subarray(headEnd + 4) }
}

test('compressed, a payer’s first view has at most 6 KB, its style at most 2 KB and its script at most 1 KB', async (t) => {
  const { app } = await service.replica()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const link = toLink(shop, { data: 'Narudžba 7', customId: 'order-1234', exp: 4_000_000_000, signed: true })
  const { head, body } = await fetchRaw(address.port, link)
  assert.match(head, /\r\ncontent-encoding: gzip\r\n/)
  const text = gunzipSync(body).toString('utf8')
  assert.match(text, /<\/html>$/)
  const sizeOf = (tag: string) =>
    gzipSync(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1] ?? '').length
  t.diagnostic(
    `page ${body.length} bytes gzip (${text.length} plain), headers ${head.length}, style ${sizeOf('style')}, script ${sizeOf('script')}`,
  )
  assert.ok(body.length <= 6 * 1024, `page ${body.length}`)
  assert.ok(sizeOf('style') <= 2 * 1024, `style ${sizeOf('style')}`)
  assert.ok(sizeOf('script') <= 1024, `script ${sizeOf('script')}`)
})

test('compressed, a page with a brand has at most 8 KB, and its policy lists its own styles', async (t) => {
  const branded = await addBrandedProject(deps)
  const page = await new Payer(service.app).open(toLink(branded, { mode: 'test', data: 'Narudžba 7' }))
  const bytes = gzipSync(page.text).length
  t.diagnostic(`page with a brand ${bytes} bytes gzip`)
  assert.ok(bytes <= 8 * 1024, String(bytes))
  const styles = [...page.text.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  assert.equal(styles.length, 2)
  assert.equal(policyOf(page).get('style-src'), styles.join(' '))
  assert.equal(page.text.match(/\ssrc="/g)?.length, 1)
})

test('each page, uncompressed and with its headers, has at most 14,600 bytes', () => {
  const FIRST_WINDOW_BYTES = 14_600
  for (const [caseName, page] of responses) {
    const bytes = Buffer.byteLength(page.text) + JSON.stringify(page.headers).length
    assert.ok(bytes <= FIRST_WINDOW_BYTES, `${caseName}: ${bytes}`)
  }
})

test('a page with a payment’s id is not compressed, even if the browser accepts compression', async () => {
  const payer = new Payer(service.app)
  payer.headers = { ...payer.headers, 'accept-encoding': 'gzip' }
  const ready = await service.app.inject({ url: toLink(shop), headers: payer.headers })
  assert.equal(ready.headers['content-encoding'], 'gzip')
  const plain = new Payer(service.app)
  const paid = await plain.pay(toLink(shop, { amount: '1501' }))
  const id = toTransactionId(paid.location)
  for (const [name, value] of plain.jar) payer.jar.set(name, value)
  for (const url of [`/pay/${id}`, `/pay/${id}?return=1`, toLink(shop, { amount: '1501' })]) {
    const page = await payer.open(url)
    assert.match(page.text, new RegExp(id), url)
    assert.equal(page.headers['content-encoding'], undefined, url)
  }
})

test('a pay page has a different token each time it is opened', async () => {
  const tokens = new Set<string>()
  const payer = new Payer(service.app)
  for (let times = 0; times < 20; times += 1)
    tokens.add((await payer.open(toLink(shop, { amount: '77' }))).form!.token)
  assert.equal(tokens.size, 20)
})
