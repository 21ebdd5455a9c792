// Splits a stream of server-sent events into messages.
export interface SentEvent {
  readonly event: string
  /** Null if the message has no id. */
  readonly id: string | null
  /** Null if the message has no data. For example, a ping has none. */
  readonly data: string | null
}

// Much longer than the service's largest event, which is a callback with its headers.
const MESSAGE_LENGTH_MAX = 1024 * 1024

export async function* splitEvents(chunks: AsyncIterable<string>): AsyncGenerator<SentEvent> {
  let text = ''
  for await (const chunk of chunks) {
    text += chunk
    const blocks = text.split(/\r?\n\r?\n/)
    text = blocks.pop() ?? ''
    if (text.length > MESSAGE_LENGTH_MAX) throw new Error('a message of the stream has no end')
    for (const block of blocks) yield toEvent(block)
  }
}

function toEvent(block: string): SentEvent {
  const fields = new Map<string, string>()
  for (const line of block.split(/\r?\n/)) {
    // With the flag s, `.` also matches U+2028 and U+2029. The data of a payment may contain these characters.
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (name !== '') fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value)
  }
  return {
    event: fields.get('event') ?? 'message',
    id: fields.get('id') ?? null,
    data: fields.get('data') ?? null,
  }
}
