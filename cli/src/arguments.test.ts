import assert from 'node:assert/strict'
import { test } from 'node:test'
import manifest from '../package.json' with { type: 'json' }
import { runInProcess } from '../test/cli-world.ts'

const env = { PAZAR_CONFIG: '/nowhere/cli.json' }

for (const [line, sentence, exitCode] of [
  ['lisen', 'There is no command lisen.', 2],
  ['deliveries', 'deliveries needs a subcommand: list, resend.', 2],
  ['deliveries drop', 'deliveries needs a subcommand: list, resend.', 2],
  ['--bogus', 'There is no option --bogus here.', 2],
  ['--constructor', 'There is no option --constructor here.', 2],
  ['-v', 'There is no option -v here.', 2],
  ['help --bogus', 'There is no option --bogus here.', 2],
  ['--project p status', '<customId> is missing.', 2],
  ['--lang en deliveries drop', 'deliveries needs a subcommand: list, resend.', 2],
  ['--yes exam', 'The service’s address is not set.', 1],
  ['--project p exan', 'There is no command exan.', 2],
  ['status order-7 --moode test', 'There is no option --moode here.', 2],
  ['projects --forward-to http://localhost', 'There is no option --forward-to here.', 2],
  ['status -x order-7', 'There is no option -x here.', 2],
  ['link --amount', '--amount needs a value.', 2],
  ['link --amount --json', '--amount needs a value.', 2],
  ['open --print=yes', '--print takes no value.', 2],
  ['listen', '--forward-to is missing.', 2],
  ['listen --forward-to localhost:4000', '--forward-to must be an http or https address.', 2],
  ['listen --forward-to ftp://localhost', '--forward-to must be an http or https address.', 2],
  ['exam --url nonsense', '--url must be an http or https address.', 2],
  ['link', '--amount is missing.', 2],
  ['qr --amount 1500', '--out is missing.', 2],
  ['qr --amount 1500 --out a.gif', '--out must end in .png or .svg.', 2],
  ['link --amount 1500 --exp soon --base-url http://localhost', '--exp must be a whole number.', 2],
  ['status', '<customId> is missing.', 2],
  ['status order-7 order-8', 'order-8 is not expected here.', 2],
  ['status order-7 --mode prod', '--mode must be one of: live, test.', 2],
  ['trigger', 'success|fail|refund|dispute|dispute-won|dispute-lost is missing.', 2],
  ['trigger maybe', 'trigger must be one of: success, fail, refund, dispute, dispute-won, dispute-lost.', 2],
  ['trigger success --to mars', '--to must be one of: listeners, url.', 2],
  ['open moon', '[page] must be one of: overview,', 2],
  ['projects --lang de', '--lang must be one of: cnr, en.', 2],
  ['projects --base-url pay.example.me', '--base-url must be an http or https address.', 2],
  ['projects --base-url https://:p@pay.example.me', '--base-url must be an http or https address.', 2],
  ['projects --base-url http://localhost?x=1', '--base-url must be an address without ? or #.', 2],
  ['projects --base-url http://localhost/#x', '--base-url must be an address without ? or #.', 2],
  ['projects', 'The service’s address is not set.', 1],
  ['projects --base-url https://pay.example.me', 'There is no API token.', 1],
] as const) {
  test(`"${line}" is refused with a sentence and the next step`, async () => {
    const result = await runInProcess(line.split(' '), { env })
    const [message = '', nextStep = ''] = result.err.split('\n')
    assert.ok(message.startsWith(sentence), message)
    assert.match(nextStep, /\w{4}/)
    assert.deepEqual([result.code, result.out], [exitCode, ''])
  })
}

test('the help is printed for “--help”, “help” or only “--lang” with exit code 0, and without arguments with exit code 2', async () => {
  const noArguments = await runInProcess([], { env })
  assert.match(noArguments.out, /^Usage: pazar-cli <command>/m)
  assert.equal(noArguments.code, 2)
  for (const argv of [
    ['--help'],
    ['help'],
    ['--lang', 'cnr'],
    ['listen', '--help'],
    ['deliveries', 'list', '--help'],
    ['--help', 'listen'],
  ]) {
    assert.equal((await runInProcess(argv, { env })).code, 0, argv.join(' '))
  }
})

test('help with the name of a command prints the help of this command, and refuses an unknown name', async () => {
  for (const argv of [
    ['help', 'deliveries', 'list'],
    ['--lang', 'en', 'help', 'deliveries', 'list'],
  ]) {
    const { out, code } = await runInProcess(argv, { env })
    assert.equal(code, 0)
    assert.equal(out, (await runInProcess(['deliveries', 'list', '--help'], { env })).out)
  }
  const unknown = await runInProcess(['help', 'lisen'], { env })
  assert.match(unknown.err, /lisen/)
  assert.deepEqual([unknown.code, unknown.out], [2, ''])
})

test('--version prints the version of the package, alone or with a command', async () => {
  for (const argv of [['--version'], ['listen', '--version']]) {
    const result = await runInProcess(argv, { env })
    assert.deepEqual([result.out, result.code], [manifest.version, 0])
    assert.match(result.out, /^\d+\.\d+\.\d+$/)
  }
})

test('with --json an error is JSON with its code and the next step', async () => {
  const result = await runInProcess(['projects', '--json'], { env })
  assert.deepEqual(result.json(), {
    error: {
      code: 'no_base_url',
      message: 'The service’s address is not set.',
      next: 'Give --base-url, set PAZAR_BASE_URL, or run login.',
    },
  })
  assert.equal(result.out, '')
})

for (const [name, setting] of [
  ['--lang', { argv: ['--lang', 'cnr'], env: { LANG: 'en_US.UTF-8' } }],
  ['LANG', { argv: [], env: { LANG: 'sr_ME.UTF-8' } }],
  ['LC_ALL before LANG', { argv: [], env: { LC_ALL: 'cnr_ME', LANG: 'en_US.UTF-8' } }],
] as const) {
  test(`the language comes from ${name}`, async () => {
    const result = await runInProcess(['projects', ...setting.argv], { env: { ...env, ...setting.env } })
    assert.match(result.err, /Adresa servisa nije podešena\./)
  })
}

test('an unknown system language falls back to English', async () => {
  assert.match((await runInProcess([], { env: { ...env, LANG: 'C.UTF-8' } })).out, /^Commands$/m)
})
