// Uses the service, and then searches the data directory and the output for every secret that was used.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { HttpClient } from './http-client.ts'
import { startServiceProcess } from './service-process.ts'

const dir = await mkdtemp(path.join(tmpdir(), 'pazar-leaks-'))

async function readAll(from: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  const files = entries.filter((one) => one.isFile()).map((one) => path.join(one.parentPath, one.name))
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(file)] as const)))
}

async function waitForMailedToken(kind: string): Promise<{ file: string; token: string }> {
  for (let polls = 0; polls < 300; polls += 1) {
    const names = await readdir(path.join(dir, 'mail')).catch(() => [])
    // The name of an unfinished mail ends in .part.
    const name = names.find((one) => one.includes(kind) && one.endsWith('.eml'))
    const text = name ? await readFile(path.join(dir, 'mail', name), 'utf8') : ''
    const plain = text.replaceAll('=\r\n', '').replaceAll('=\n', '').replaceAll('=3D', '=')
    const token = /#token=([A-Za-z0-9_-]{43})/.exec(plain)?.[1]
    if (name && token) return { file: path.join(dir, 'mail', name), token }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no mail of the kind ${kind} arrived`)
}

test('used secrets, passwords and tokens are written nowhere, except mailed links and the demo’s password', async (t) => {
  const usedSecrets = new Map<string, string>()
  const service = await startServiceProcess({ DATA_DIR: dir, LOG_LEVEL: 'debug' })
  t.after(async () => {
    if (service.child.exitCode === null) await service.kill()
    await rm(dir, { recursive: true, force: true })
  })
  const owner = new HttpClient(service.baseUrl)
  const addUsed = (secretName: string, value: unknown) => usedSecrets.set(secretName, String(value))
  const addCookies = (when: string) => {
    for (const [name, value] of owner.jar) if (value) addUsed(`${name} after ${when}`, value)
  }
  const password = 'planinska rosa u zoru 7'
  const secondPassword = 'planinska rosa uveče 8'
  addUsed('password', password)
  addUsed('second password', secondPassword)

  await owner.ok('POST', '/portal/api/sign-up', { email: 'leak@example.com', password })
  addCookies('sign-up')
  await owner.ok('POST', '/portal/api/step-up', { password })
  addCookies('step-up')
  const project = await owner.ok('POST', '/sdk/project/add', {
    name: 'Leak',
    resultUrl: `${service.baseUrl}/pay/successful`,
    apiUrl: 'https://callbacks.invalid.example.com/x',
  })
  const projectId = String(project['id'])
  const options = { name: 'Leak', scope: 'read', expiresInDays: 1 }
  addUsed('API token', (await owner.ok('POST', '/portal/api/tokens', options))['token'])
  const headers = { authorization: `Bearer ${usedSecrets.get('API token')}` }
  const listed = await fetch(`${service.baseUrl}/sdk/project/list`, { method: 'POST', headers })
  assert.equal(listed.status, 200)
  addUsed('live secret', (await owner.ok('POST', '/sdk/project/seeSecret', { projectId }))['secret'])
  addUsed('rotated secret', (await owner.ok('POST', '/sdk/project/rotateSecret', { projectId }))['secret'])
  addUsed('test secret', (await owner.ok('GET', `/portal/api/projects/${projectId}/test-secret`))['secret'])

  const page = await fetch(`${service.baseUrl}/pay?amount=1500&project=${projectId}&data=&customId=leak-1`)
  const attempt = /name="token" value="([^"]+)"/.exec(await page.text())?.[1]
  addUsed('attempt token', attempt)
  await owner.ok('POST', '/pay', { token: attempt })

  const confirm = await waitForMailedToken('confirm_email')
  await owner.ok('POST', '/portal/api/email/confirm', { token: confirm.token })
  await owner.ok('POST', '/portal/api/password/forgot', { email: 'leak@example.com' })
  const reset = await waitForMailedToken('reset_password')
  await owner.ok('POST', '/portal/api/password/reset', { token: reset.token, password: secondPassword })
  addUsed('demo password', service.password)
  assert.equal(await service.stop(), 0)

  const files = await readAll(dir)
  assert.ok(files.size > 500, 'the data directory was read')
  // People must receive some secrets. A mailed link is in its mail. The demo's password is in demo.json and on the console.
  const allowed = new Set([`${path.join(dir, 'demo.json')} demo password`])
  for (const [secretName, value] of usedSecrets) {
    for (const [file, bytes] of files) {
      assert.equal(
        bytes.includes(value) && !allowed.has(`${file} ${secretName}`),
        false,
        `${secretName} is in ${file}`,
      )
    }
    if (secretName !== 'demo password')
      assert.equal(service.output().includes(value), false, `${secretName} was printed`)
  }
  for (const { file: mailFile, token } of [confirm, reset]) {
    assert.equal(service.output().includes(token), false)
    for (const [file, bytes] of files)
      assert.equal(bytes.includes(token) && file !== mailFile, false, `a link is in ${file}`)
  }
})
