import type { PromptAnswer } from '@pazar/contract'
import type { Command } from '../command.ts'
import { span } from '../terminal.ts'

export const ask: Command = {
  name: 'ask',
  args: ['<question>'],
  options: {},
  example: 'pazar-cli ask "How do I verify a callback?"',
  async run({ args, words, locale, session }) {
    const [prompt = ''] = args
    const answer = await session.api().post<PromptAnswer>('/sdk/ai/prompt', { prompt, locale })
    const sources = answer.sources.map(({ title, url }) => [`${title}  `, span('dim', url)])
    return {
      json: answer,
      lines: [...answer.answer.split('\n').map((line) => [line]), [''], [words.answers.sources], ...sources],
    }
  },
}
