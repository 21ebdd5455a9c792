import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { catalogue } from '@pazar/words'
import { makeDir } from '../test/cli-world.ts'
import { CliError } from './cli-error.ts'
import { readConfig, writeConfig } from './config-file.ts'

const words = catalogue('en').cli
const CONFIG = { baseUrl: 'https://pay.example.me', token: 'pat_1', projectId: 'p1', lang: 'cnr' }

test('saved settings are read back, and only the owner can read their file and folder', async () => {
  const file = path.join(await makeDir(), 'deep/er/cli.json')
  writeConfig(file, CONFIG, words)
  assert.deepEqual(readConfig(file, words), CONFIG)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(path.dirname(file)).mode & 0o777, 0o700)
})

test('saving makes the file private, even if others could read it before', async () => {
  const file = path.join(await makeDir(), 'cli.json')
  writeFileSync(file, '{}')
  chmodSync(file, 0o644)
  writeConfig(file, CONFIG, words)
  assert.equal(statSync(file).mode & 0o777, 0o600)
})

test('a missing file means no settings', async () => {
  assert.deepEqual(readConfig(path.join(await makeDir(), 'cli.json'), words), {})
})

for (const raw of ['', '{', '[]x', 'null', '"pat_1"', '{"token":7}', '{"baseUrl":null}']) {
  test(`a file with the content “${raw}” is refused, and the error names the next step`, async () => {
    const file = path.join(await makeDir(), 'cli.json')
    writeFileSync(file, raw)
    assert.throws(() => readConfig(file, words), { name: 'CliError', next: 'Delete it and run login again.' })
  })
}

test('a file that cannot be read or written gives an error, and nothing is written', async () => {
  const dir = await makeDir()
  mkdirSync(path.join(dir, 'cli.json'))
  assert.throws(() => readConfig(path.join(dir, 'cli.json'), words), CliError)
  const blocked = path.join(dir, 'file')
  writeFileSync(blocked, 'a')
  assert.throws(
    () => writeConfig(path.join(blocked, 'cli.json'), CONFIG, words),
    /file\/cli\.json cannot be written/,
  )
  assert.equal(readFileSync(blocked, 'utf8'), 'a')
  assert.equal(existsSync(path.join(blocked, 'cli.json')), false)
})

test('a failed save leaves no second file with the token, and does not prevent a later save', async () => {
  const dir = await makeDir()
  const file = path.join(dir, 'cli.json')
  mkdirSync(file)
  assert.throws(() => writeConfig(file, CONFIG, words), /cli\.json cannot be written/)
  assert.deepEqual(readdirSync(dir), ['cli.json'])
  // A process that was killed left this file, and its process id is used again.
  const left = `${path.join(dir, 'other.json')}.${process.pid}`
  writeFileSync(left, 'left')
  writeConfig(path.join(dir, 'other.json'), CONFIG, words)
  assert.deepEqual(readConfig(path.join(dir, 'other.json'), words), CONFIG)
  assert.equal(readFileSync(left, 'utf8'), 'left')
})
