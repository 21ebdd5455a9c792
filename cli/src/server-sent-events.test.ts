import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitEvents } from './server-sent-events.ts'
import type { SentEvent } from './server-sent-events.ts'

async function collect(chunks: AsyncIterable<string>): Promise<SentEvent[]> {
  const found: SentEvent[] = []
  for await (const event of splitEvents(chunks)) found.push(event)
  return found
}

test('messages are parsed wherever chunks begin and end', async () => {
  const text = `: hi\n\nevent: callback\nid: msg_1\ndata: {"mode":"test"}\n\nevent: other\ndata: a\ndata: b\n\n:x\r\n\r\ndata:c\r\n\r\nid: 7\n\n: x\nid: at_7\n\n`
  for (const size of [1, 2, 3, 7, 1000]) {
    async function* chunks() {
      for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size)
    }
    const found = await collect(chunks())
    assert.deepEqual(
      found.map(({ event, id, data }) => `${event} ${id} ${data?.slice(0, 3) ?? null}`),
      [
        'message null null',
        'callback msg_1 {"m',
        'other null a\nb',
        'message null null',
        'message null c',
        'message 7 null',
        'message at_7 null',
      ],
      `in chunks of ${size} characters`,
    )
  }
})

test('a message that contains line separators of Unicode is parsed', async () => {
  const data = '{"body":"a\u2028b\u2029c"}'
  async function* chunks() {
    yield `event: callback\nid: msg_1\ndata: ${data}\n\n`
  }
  assert.deepEqual(await collect(chunks()), [{ event: 'callback', id: 'msg_1', data }])
})

test('a message that does not end is refused once it is too long', async () => {
  async function* chunks() {
    for (let n = 0; n < 100; n += 1) yield 'x'.repeat(64 * 1024)
  }
  await assert.rejects(collect(chunks()), /no end/)
})
