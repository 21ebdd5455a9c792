import { writeFileSync } from 'node:fs'
import { requireWholeNumber } from '../values.ts'
import { CliError, UsageError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { LINK_OPTIONS, toLinkFields } from './link.ts'

export const qr: Command = {
  name: 'qr',
  args: [],
  options: { out: { value: '<file>', required: true }, ...LINK_OPTIONS, size: { value: '<pixels>' } },
  example: 'pazar-cli qr --out order-7.svg --amount 1500 --data "Order 7" --custom-id order-7',
  async run(invocation) {
    const { words, session } = invocation
    const file = invocation.optionValue('out') ?? ''
    const format = /\.(png|svg)$/i.exec(file)?.[1]?.toLowerCase()
    if (format === undefined) throw new UsageError(words.usage.notImage('--out'), words.next.correct)
    const size = invocation.optionValue('size')
    const bytes = await session.api().postForBytes('/sdk/project/qr', {
      project: await session.requireProjectId(),
      ...toLinkFields(invocation),
      format,
      ...(size === undefined ? {} : { size: requireWholeNumber(words, 'size', size) }),
    })
    try {
      writeFileSync(file, bytes)
    } catch {
      throw new CliError(words.problems.cannotWrite(file), words.next.checkFile, { code: 'file' })
    }
    return { json: { file, bytes: bytes.length }, lines: [words.done.saved(file)] }
  },
}
