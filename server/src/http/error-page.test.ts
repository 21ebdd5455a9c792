import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBareServer } from '../../test/bare-server.ts'
import { registerTestRoutes } from '../../test/http-routes.ts'

const { app } = await startBareServer({ SUPPORT_URL: 'https://help.example.me' }, registerTestRoutes)

test('an error page offers "Try again" only where that may help', async () => {
  const open = async (url: string) =>
    (await app.inject({ url, headers: { accept: 'text/html', 'accept-language': 'en' } })).body
  const missing = await open('/nowhere?a=1&lang=en')
  assert.match(missing, /<a class="name" href="\/en"><svg[^]*?<\/svg>Pazar<\/a>/)
  assert.match(missing, /<a href="\/nowhere\?a=1&amp;lang=cnr" lang="sr-Latn-ME"/)
  for (const href of ['/en', '/en/docs', '/en/projects', '/en/sign-in'])
    assert.ok(missing.includes(`href="${href}"`), href)
  // Trying again does not help with a missing page, but it may help with a fault of the service.
  assert.doesNotMatch(missing, />Try again</)
  assert.match(await open('/fail?code=busy'), /<a class="act" href="\/fail\?code=busy">Try again</)
  assert.match(await open('/en/nowhere?a=1'), /<a href="\/cnr\/nowhere\?a=1" lang/)
  // Payers have no account and do not read the docs, so their page has no such links.
  const payer = await open('/pay/a/b')
  assert.doesNotMatch(payer, /\/docs"|\/sign-in"|\/projects"/)
  assert.match(payer, /<a class="act second" href="https:\/\/help\.example\.me\/">/)
})

test('if the path of the requested URL starts like the address of a host, no link of the error page leads to that host', async () => {
  for (const url of ['//evil.example/x', '/\\evil.example', '//evil.example/?lang=en', '///evil.example']) {
    const { body } = await app.inject({ url, headers: { accept: 'text/html' } })
    assert.match(body, /<h1>/, url)
    assert.doesNotMatch(body, /href="[/\\]{2}/, url)
  }
})
