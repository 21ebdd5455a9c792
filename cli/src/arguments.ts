// Checks a command line against the arguments and options of its command.
import { parseArgs } from 'node:util'
import type { Command, Option } from './command.ts'
import type { OptionName, Words } from './words.ts'
import { UsageError } from './cli-error.ts'

export const GLOBAL_OPTIONS: Readonly<Partial<Record<OptionName, Option>>> = {
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

/** Does not validate the arguments, because the language of the error messages is not yet known. */
export function tokenizeArguments(argv: readonly string[], command: Command | null) {
  const allOptions = { ...GLOBAL_OPTIONS, ...command?.options }
  const options = Object.fromEntries(
    Object.entries(allOptions).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  )
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens
}

type Token = ReturnType<typeof tokenizeArguments>[number]

/** Finds the value of an option that is needed before validation, such as the language. */
export function findValue(tokens: readonly Token[], name: OptionName): string | undefined {
  return tokens
    .flatMap((token) => (token.kind === 'option' && token.name === name ? [token.value] : []))
    .at(-1)
}

export function hasOption(tokens: readonly Token[], name: OptionName): boolean {
  return tokens.some((token) => token.kind === 'option' && token.name === name)
}

export function checkArguments(tokens: readonly Token[], command: Command, words: Words): ParsedArguments {
  const allOptions = new Map(Object.entries({ ...GLOBAL_OPTIONS, ...command.options }))
  const refuse = (sentence: string) =>
    new UsageError(sentence, words.usage.seeHelp(`pazar-cli ${command.name}`))
  const values = new Map<string, string[]>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const option = allOptions.get(token.name)
    if (option === undefined) throw refuse(words.usage.noSuchOption(token.rawName))
    const isSwitch = option.value === undefined
    if (isSwitch && token.value !== undefined) throw refuse(words.usage.takesNoValue(token.rawName))
    // In "--amount --json" the value of --amount is missing. "--data=--json" has a value.
    const isMissing = token.value === undefined || (!token.inlineValue && token.value.startsWith('--'))
    if (!isSwitch && isMissing) throw refuse(words.usage.needsValue(token.rawName))
    const value = token.value ?? ''
    values.set(token.name, option.repeated ? [...(values.get(token.name) ?? []), value] : [value])
  }
  for (const [name, { required }] of allOptions) {
    if (required && !values.has(name)) throw refuse(words.usage.needsOption(`--${name}`))
  }
  const args = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const missing = command.args[args.length]
  // Optional arguments are in brackets.
  if (missing !== undefined && !missing.startsWith('[')) throw refuse(words.usage.needsArgument(missing))
  const extra = args[command.args.length]
  if (extra !== undefined) throw refuse(words.usage.tooMany(extra))
  return { args, values }
}
