// Reads server-sent events over real HTTP, as a browser's EventSource does.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import type { Http } from '../src/http/server.ts'
import type { Client } from './client.ts'
import { until } from './until.ts'

export interface ReadEvent {
  event: string
  id: string
  data: Record<string, unknown>
}

export interface EventReader {
  status: number
  headers: Headers
  events: ReadEvent[]
  comments: string[]
  /** The last id received. An id may arrive without an event. */
  lastId: string | null
  ended: Promise<void>
  close(): void
}

export async function listenLocally(app: Http): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

export async function readEvents(
  origin: string,
  as: Client,
  path: string,
  headers: Record<string, string> = {},
): Promise<EventReader> {
  const closing = new AbortController()
  const cookie = [...as.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(origin + path, { headers: { cookie, ...headers }, signal: closing.signal })
  const reader: EventReader = {
    status: response.status,
    headers: response.headers,
    events: [],
    comments: [],
    lastId: null,
    ended: Promise.resolve(),
    close: () => closing.abort(),
  }
  if (response.status === 200) {
    reader.ended = read(response, reader)
    await until(() => reader.comments.includes('connected'), 'the stream is connected')
  } else await response.body?.cancel()
  return reader
}

async function read(response: Response, reader: EventReader): Promise<void> {
  assert.ok(response.body)
  let text = ''
  try {
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) addBlock(block, reader)
    }
  } catch {
    // The stream was closed.
  }
}

function addBlock(block: string, reader: EventReader): void {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]),
  )
  reader.lastId = fields['id'] ?? reader.lastId
  if (fields[''] !== undefined) reader.comments.push(fields[''])
  if (fields['data'] === undefined) return
  reader.events.push({
    event: fields['event'] ?? '',
    id: fields['id'] ?? '',
    data: JSON.parse(fields['data']) as Record<string, unknown>,
  })
}
