import { readFileSync } from 'node:fs'
import type { VerifySignatureAnswer } from '@pazar/contract'
import { requireMode } from '../values.ts'
import { CliError, UsageError } from '../cli-error.ts'
import type { Invocation, Command } from '../command.ts'
import { parseHeaderLines, parseRawRequest } from '../raw-request.ts'
import { span } from '../terminal.ts'

export const verify: Command = {
  name: 'verify',
  args: [],
  options: {
    file: { value: '<file>', required: true },
    header: { value: '<header>', repeated: true },
    mode: { value: 'live|test' },
  },
  example: 'pazar-cli verify --file request.txt --mode test',
  async run(invocation) {
    const { words, session } = invocation
    const request = parseRawRequest(await readText(invocation))
    const headers = { ...request.headers, ...parseHeaderLines(invocation.optionValues('header')) }
    if (Object.keys(headers).length === 0)
      throw new UsageError(words.usage.noHeaders, words.usage.giveHeaders)
    const mode = requireMode(words, invocation.optionValue('mode') ?? 'test')
    const answer = await session.api().post<VerifySignatureAnswer>(await session.pathOf('verify-signature'), {
      headers,
      body: request.body,
      mode,
    })
    // Older services do not send eventText.
    const eventLines = answer.eventText ? [[span('dim', answer.eventText)]] : []
    const problems = answer.problems.flatMap(({ text, fix }) => [[span('bad', text)], `  ${fix}`])
    return {
      json: answer,
      exitsNonZero: !answer.matches,
      lines: [...(answer.matches ? [[span('good', words.done.matches)]] : []), ...problems, ...eventLines],
    }
  },
}

async function readText(invocation: Invocation): Promise<string> {
  const { words } = invocation
  const bytes = await readBytes(invocation)
  try {
    // ignoreBOM leaves a byte order mark in the text, because the mark changes the signature.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new CliError(words.problems.notUtf8, words.next.correct, { code: 'not_utf8' })
  }
}

async function readBytes({ words, terminal, optionValue }: Invocation): Promise<Uint8Array> {
  const file = optionValue('file') ?? ''
  if (file === '-') return terminal.readInput()
  try {
    return readFileSync(file)
  } catch {
    throw new CliError(words.problems.cannotRead(file), words.next.checkFile, { code: 'file' })
  }
}
