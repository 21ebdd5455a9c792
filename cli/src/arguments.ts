// The words of a call, checked against what the command takes. Node's parser cuts them; the complaints are ours, in the
// caller's language.
import { parseArgs } from 'node:util'
import type { Command, Option } from './command.ts'
import type { OptionName, Words } from './words.ts'
import { UsageError } from './cli-error.ts'

export const EVERYWHERE: Readonly<Partial<Record<OptionName, Option>>> = {
  'base-url': { value: '<url>' },
  project: { value: '<id>' },
  lang: { value: 'cnr|en' },
  json: {},
  help: {},
  version: {},
}

export interface ParsedArguments {
  readonly args: readonly string[]
  readonly values: ReadonlyMap<string, readonly string[]>
}

/** Cut only: what is wrong is said by checkArguments, once the language is known. */
export function cutArguments(argv: readonly string[], command: Command | null) {
  const known = { ...EVERYWHERE, ...command?.options }
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  )
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens
}

type Token = ReturnType<typeof cutArguments>[number]

/** For what must be known before anything can be complained about. */
export function findValue(tokens: readonly Token[], name: OptionName): string | undefined {
  return tokens
    .flatMap((token) => (token.kind === 'option' && token.name === name ? [token.value] : []))
    .at(-1)
}

export function hasOption(tokens: readonly Token[], name: OptionName): boolean {
  return tokens.some((token) => token.kind === 'option' && token.name === name)
}

export function checkArguments(tokens: readonly Token[], command: Command, words: Words): ParsedArguments {
  const known = new Map(Object.entries({ ...EVERYWHERE, ...command.options }))
  const refuse = (sentence: string) =>
    new UsageError(sentence, words.usage.seeHelp(`pazar-cli ${command.name}`))
  const values = new Map<string, string[]>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const option = known.get(token.name)
    if (option === undefined) throw refuse(words.usage.noSuchOption(token.rawName))
    const isSwitch = option.value === undefined
    if (isSwitch && token.value !== undefined) throw refuse(words.usage.takesNoValue(token.rawName))
    // "--amount --json" forgot a value; one that really begins so is written "--data=--json".
    const isForgotten = token.value === undefined || (!token.inlineValue && token.value.startsWith('--'))
    if (!isSwitch && isForgotten) throw refuse(words.usage.needsValue(token.rawName))
    const given = token.value ?? ''
    values.set(token.name, option.repeated ? [...(values.get(token.name) ?? []), given] : [given])
  }
  for (const [name, { required }] of known) {
    if (required && !values.has(name)) throw refuse(words.usage.needsOption(`--${name}`))
  }
  const args = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const missing = command.args[args.length]
  if (missing !== undefined && !missing.startsWith('[')) throw refuse(words.usage.needsArgument(missing))
  const extra = args[command.args.length]
  if (extra !== undefined) throw refuse(words.usage.tooMany(extra))
  return { args, values }
}
