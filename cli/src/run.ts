// Runs one command line and returns its exit code.
import { catalogue, negotiateLocale, parseLocale } from '@pazar/words'
import type { Locale } from '@pazar/words'
import manifest from '../package.json' with { type: 'json' }
import { checkArguments, tokenizeArguments, GLOBAL_OPTIONS, findValue, hasOption } from './arguments.ts'
import { CliError, UsageError } from './cli-error.ts'
import type { Invocation, Command } from './command.ts'
import type { Words } from './words.ts'
import { COMMANDS } from './commands.ts'
import { readConfig as readConfigFile } from './config-file.ts'
import type { Config } from './config-file.ts'
import type { Environment } from './environment.ts'
import { PROGRAM, toHelp, toOverview } from './help.ts'
import { createSession } from './session.ts'
import { span } from './terminal.ts'
import type { Terminal } from './terminal.ts'

export interface RunContext {
  readonly environment: Environment
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

export async function run(argv: readonly string[], runContext: RunContext): Promise<number> {
  const { terminal, environment } = runContext
  const { command, rest, name, isHelp } = findCommand(argv)
  const tokens = tokenizeArguments(rest, command)
  const isJson = hasOption(tokens, 'json')
  let words = catalogue(toLocale(tokens, undefined, environment)).cli
  try {
    const { lang, readConfig } = findConfig(environment.configFile, words)
    const locale = toLocale(tokens, lang, environment)
    words = catalogue(locale).cli
    if (command === null) checkNoCommand(name, tokens, words)
    if (hasOption(tokens, 'version')) {
      terminal.print(manifest.version)
      return 0
    }
    if (command === null || isHelp || hasOption(tokens, 'help')) {
      const lines = command === null ? toOverview(COMMANDS, words) : toHelp(command, words)
      for (const line of lines) terminal.print(line)
      // A script that forgot the arguments must see a failure.
      return argv.length === 0 ? 2 : 0
    }
    const outcome = await command.run(
      toInvocation(command, tokens, { runContext, readConfig, locale, words, isJson }),
    )
    if (isJson && outcome.json !== undefined) terminal.print(JSON.stringify(outcome.json))
    if (!isJson) for (const line of outcome.lines) terminal.print(line)
    return outcome.exitsNonZero ? 1 : 0
  } catch (error) {
    if (runContext.signal.aborted) return 1
    return printError(error, { terminal, words, isJson })
  }
}

interface FoundCommand {
  readonly command: Command | null
  readonly rest: readonly string[]
  /** The name of the command, or the first word if there is no such command. */
  readonly name: string | undefined
  /** The line starts with the word `help`, as in `help listen`. */
  readonly isHelp: boolean
}

/** Command names have one or two words. Options may stand before them. */
function findCommand(argv: readonly string[]): FoundCommand {
  const first = tokenizeArguments(argv, null).find((token) => token.kind === 'positional')
  const start = first?.index ?? argv.length
  if (argv[start] === 'help' && argv.slice(start + 1).some((word) => !word.startsWith('-')))
    return { ...findCommand(argv.toSpliced(start, 1)), isHelp: true }
  for (const length of [2, 1]) {
    const name = argv.slice(start, start + length).join(' ')
    const command = COMMANDS.find((one) => one.name === name)
    if (command)
      return { command, rest: [...argv.slice(0, start), ...argv.slice(start + length)], name, isHelp: false }
  }
  return { command: null, rest: argv, name: argv[start], isHelp: false }
}

type Tokens = ReturnType<typeof tokenizeArguments>

/** Without a command, the first word must be "help" or absent, and all options must be global. */
function checkNoCommand(first = 'help', tokens: Tokens, words: Words): void {
  const refuse = (sentence: string) => new UsageError(sentence, words.usage.seeHelp(PROGRAM))
  const subcommands = COMMANDS.flatMap(({ name }) =>
    name.startsWith(`${first} `) ? [name.split(' ')[1]] : [],
  )
  if (subcommands.length > 0) throw refuse(words.usage.needsSecond(first, subcommands.join(', ')))
  if (first !== 'help') throw refuse(words.usage.noSuchCommand(first))
  for (const token of tokens) {
    if (token.kind === 'option' && !Object.hasOwn(GLOBAL_OPTIONS, token.name))
      throw refuse(words.usage.noSuchOption(token.rawName))
  }
}

/** A broken config file is an error only for commands that need it. */
function findConfig(file: string, words: Words): { lang: string | undefined; readConfig: () => Config } {
  try {
    const config = readConfigFile(file, words)
    return { lang: config.lang, readConfig: () => config }
  } catch (error) {
    return {
      lang: undefined,
      readConfig() {
        throw error
      },
    }
  }
}

// Uses --lang, otherwise the saved language, otherwise the system's locale.
function toLocale(tokens: Tokens, lang: string | undefined, environment: Environment): Locale {
  return negotiateLocale({
    query: findValue(tokens, 'lang'),
    cookie: lang,
    acceptLanguage: environment.language.replace(/[._].*$/, ''),
  })
}

interface InvocationContext {
  readonly runContext: RunContext
  readonly readConfig: () => Config
  readonly locale: Locale
  readonly words: Words
  readonly isJson: boolean
}

function toInvocation(command: Command, tokens: Tokens, context: InvocationContext): Invocation {
  const { runContext, readConfig, locale, words, isJson } = context
  const { args, values } = checkArguments(tokens, command, words)
  const optionValue: Invocation['optionValue'] = (name) => values.get(name)?.at(-1)
  const lang = optionValue('lang')
  if (lang !== undefined && parseLocale(lang) === null) {
    throw new UsageError(words.usage.notOneOf('--lang', 'cnr, en'), words.next.correct)
  }
  const session = createSession({
    words,
    locale,
    readConfig,
    environment: runContext.environment,
    baseUrl: optionValue('base-url'),
    projectId: optionValue('project'),
    signal: runContext.signal,
  })
  return {
    ...runContext,
    words,
    catalogue: catalogue(locale),
    locale,
    args,
    isJson,
    session,
    optionValue,
    optionValues: (name) => values.get(name) ?? [],
    isSet: (name) => values.has(name),
  }
}

function printError(error: unknown, to: { terminal: Terminal; words: Words; isJson: boolean }): number {
  const { terminal, words, isJson } = to
  const cliError = error instanceof CliError ? error : toUnexpected(error, words)
  if (isJson) {
    const { message, next, facts } = cliError
    terminal.printStatus(JSON.stringify({ error: { ...facts, message, next } }))
  } else {
    terminal.printStatus([span('bad', cliError.message)])
    for (const line of cliError.facts.details ?? []) terminal.printStatus(`  ${line}`)
    terminal.printStatus(cliError.next)
  }
  return cliError.exitCode
}

function toUnexpected(error: unknown, words: Words): CliError {
  const details = (error instanceof Error ? (error.stack ?? error.message) : String(error)).split('\n')
  return new CliError(words.problems.unforeseen, words.next.report, { code: 'unforeseen', details })
}
