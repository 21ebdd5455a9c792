// Runs the README's curl commands. The service is set up as the README describes.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startServiceProcess } from './service-process.ts'

const README = path.join(import.meta.dirname, '../../README.md')

test('the curl commands of the README work as shown', async () => {
  const text = await readFile(README, 'utf8')
  const script = /<!-- readme-test: curl -->\n```sh\n([\s\S]*?)```/.exec(text)?.[1]
  assert.ok(script, 'the README contains the block of curl commands')
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-readme-'))
  const service = await startServiceProcess({ DATA_DIR: path.join(dir, 'data'), LOG_LEVEL: 'warn' })
  try {
    // Two things are changed: the port, and the program `jq`, which may not be installed.
    const jq = `jq() { node -e 'let t="";process.stdin.on("data",c=>t+=c).on("end",()=>console.log(JSON.parse(t).projects[0].id))'; }`
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-ec', `${jq}\n${script.replace('http://localhost:3000', service.baseUrl)}`],
      { cwd: dir },
    )
    assert.match(stdout, /"email":"ana@example.com"/)
    assert.match(stdout, /"until":"/)
    // The commands add five projects, and the sixth is refused.
    assert.equal(stdout.match(/"requireSignedLinks":false/g)?.length, 5)
    assert.equal(stdout.match(/"code":"too_many"/g)?.length, 1)
    const secrets = stdout.match(/sk_live_[0-9a-f]{64}/g)
    assert.equal(secrets?.length, 2)
    assert.notEqual(secrets[0], secrets[1])
  } finally {
    await service.stop()
    await rm(dir, { recursive: true, force: true })
  }
})
