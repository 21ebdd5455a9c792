import type { Command, Option } from './command.ts'
import type { Words } from './words.ts'
import { GLOBAL_OPTIONS } from './arguments.ts'
import { span, toTable } from './terminal.ts'
import type { Line } from './terminal.ts'

export const PROGRAM = 'pazar-cli'

export function toOverview(commands: readonly Command[], words: Words): Line[] {
  const { frame } = words
  const environment = Object.entries(words.environment).map(([name, meaning]) => [`  ${name}`, meaning])
  return [
    words.about,
    '',
    `${frame.usage}: ${PROGRAM} ${frame.call}`,
    '',
    [span('strong', frame.commands)],
    ...toTable(commands.map((command) => [`  ${toCall(command)}`, words.commands[command.name]])),
    '',
    ...toOptionLines(frame.everywhere, GLOBAL_OPTIONS, words),
    '',
    [span('strong', frame.environment)],
    ...toTable(environment),
    '',
    frame.more(PROGRAM),
  ]
}

export function toHelp(command: Command, words: Words): Line[] {
  const { frame } = words
  const hasOptions = Object.keys(command.options).length > 0
  return [
    `${PROGRAM} ${command.name}: ${words.commands[command.name]}`,
    '',
    `${frame.usage}: ${PROGRAM} ${toCall(command)}`,
    '',
    ...(hasOptions ? [...toOptionLines(frame.options, command.options, words), ''] : []),
    ...toOptionLines(frame.everywhere, GLOBAL_OPTIONS, words),
    '',
    [span('strong', frame.example)],
    `  ${command.example}`,
  ]
}

function toCall(command: Command): string {
  const required = Object.entries(command.options).flatMap(([name, option]) =>
    option.required ? [`--${name} ${option.value}`] : [],
  )
  return [command.name, ...command.args, ...required].join(' ')
}

function toOptionLines(title: string, options: Partial<Record<string, Option>>, words: Words): Line[] {
  const texts: Readonly<Record<string, string>> = words.options
  const rows = Object.entries(options).map(([name, option]) => [
    `  --${name}${option?.value === undefined ? '' : ` ${option.value}`}`,
    texts[name] ?? '',
  ])
  return [[span('strong', title)], ...toTable(rows)]
}
