import type { CallbackView } from '@pazar/contract'
import type { Command } from '../command.ts'

export const deliveriesResend: Command = {
  name: 'deliveries resend',
  args: ['<callbackId>'],
  options: { again: {} },
  example: 'pazar-cli deliveries resend msg_019a8f0e6b1c7c3e9a512f60d4b8e913 --again',
  async run(invocation) {
    const { words, args, session } = invocation
    const [id = ''] = args
    const path = await session.pathOf(`deliveries/${encodeURIComponent(id)}/resend`)
    const answer = await session
      .api()
      .post<{ callback: CallbackView }>(path, invocation.isSet('again') ? { again: true } : {})
    return { json: answer, lines: [words.done.queued(answer.callback.id)] }
  },
}
