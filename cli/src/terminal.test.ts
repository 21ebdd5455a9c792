import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { createTerminal, span, escapeControls, toTable, toText } from './terminal.ts'

test('texts from outside cannot send control sequences', () => {
  const evil = 'a\u001B[2Jb\rc\u0007d\u202Ee\u200Bf\u009Bg\u{E0041}h'
  for (const text of [toText(evil, true), toText([evil], true), toText([span('good', evil)], false)]) {
    assert.equal(/[\p{Cc}\p{Cf}]/u.test(text), false, JSON.stringify(text))
  }
  const painted = toText([span('bad', evil)], true)
  assert.equal(painted.replaceAll('\u001B[31m', '').replaceAll('\u001B[0m', ''), escapeControls(evil))
  assert.equal(escapeControls('two\nlines\tand a tab'), 'two lines and a tab')
})

test('escaping does not change the meaning of JSON', () => {
  const value = { a: 'š\u200B\u{E0041}\u202E\u2028 „"\\\n\u0007' }
  assert.deepEqual(JSON.parse(escapeControls(JSON.stringify(value))), value)
})

test('colours appear only on a terminal, and not with NO_COLOR', () => {
  for (const [isTTY, colors, expected] of [
    [true, true, '\u001B[32mok\u001B[0m\n'],
    [true, false, 'ok\n'],
    [false, true, 'ok\n'],
  ] as const) {
    const stdout = Object.assign(new PassThrough(), { isTTY })
    const streams = { stdin: new PassThrough(), stdout, stderr: stdout }
    createTerminal(streams, { colors, stopping: new AbortController() }).print([span('good', 'ok')])
    assert.equal(String(stdout.read()), expected)
  }
})

test('the columns of a table line up, even if only some cells have colours', () => {
  const lines = toTable([
    [span('good', '*'), 'abc', 'x'],
    [' ', 'a', span('dim', 'y')],
  ])
  assert.deepEqual(
    lines.map((line) => toText(line, false)),
    ['*  abc  x', '   a    y'],
  )
})

function openTerminal() {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const stderr = Object.assign(new PassThrough(), { isTTY: true })
  const stopping = new AbortController()
  const terminal = createTerminal({ stdin, stdout: stderr, stderr }, { colors: true, stopping })
  return { stdin, stopping, terminal, shown: () => String(stderr.read() ?? '') }
}

test('a prompt shows the typed text, and a hidden prompt does not', async () => {
  const open = openTerminal()
  const address = open.terminal.ask('Address?')
  open.stdin.write('http://localhost\n')
  assert.equal(await address, 'http://localhost')
  assert.match(open.shown(), /Address\? .*http:\/\/localhost/s)

  const hidden = openTerminal()
  const token = hidden.terminal.ask('Token?', { hidden: true })
  hidden.stdin.write('pat_secret\n')
  assert.equal(await token, 'pat_secret')
  assert.equal(hidden.shown(), 'Token? \n')
})

test('canAsk is true only if both input and output are a terminal', () => {
  const canAsk = (input: boolean, output: boolean) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: input })
    const stderr = Object.assign(new PassThrough(), { isTTY: output })
    const stopping = new AbortController()
    return createTerminal({ stdin, stdout: stderr, stderr }, { colors: true, stopping }).canAsk
  }
  assert.deepEqual([canAsk(true, true), canAsk(true, false), canAsk(false, true)], [true, false, false])
})

test('Ctrl+D at a prompt gives an empty reply', async () => {
  for (const hidden of [false, true]) {
    const open = openTerminal()
    const reply = open.terminal.ask('Token?', { hidden })
    open.stdin.write('\u0004')
    assert.equal(await reply, '')
    assert.equal(open.stopping.signal.aborted, false)
  }
})

test('Ctrl+C at a prompt stops the tool', async () => {
  const open = openTerminal()
  const reply = open.terminal.ask('Address?')
  open.stdin.write('\u0003')
  await assert.rejects(reply, { name: 'AbortError' })
  assert.equal(open.stopping.signal.aborted, true)
})
