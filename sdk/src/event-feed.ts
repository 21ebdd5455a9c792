// Reads the events of a project page by page. A program can stop after any event and continue with the cursor.
import type { FeedEvent } from './records.ts'
import { isJsonObject } from './strict-json.ts'
import type { JsonObject, JsonValue } from './strict-json.ts'

export interface EventFeedOptions {
  /** `cursor` of an earlier feed of this project and mode. By default the feed starts with the first event. */
  readonly after?: string | null | undefined
  /** Waits for further events instead of ending after the last one. */
  readonly follow?: boolean | undefined
  /** With `follow`: the wait in milliseconds after a request that found nothing. */
  readonly pollMs?: number | undefined
  /** How many events one request reads: 1 to 500. */
  readonly pageSize?: number | undefined
  /** After an abort, the iteration throws the reason of the signal instead of requesting another page. */
  readonly signal?: AbortSignal | undefined
}

export interface EventPage {
  readonly items: readonly FeedEvent[]
  readonly next: string
  readonly hasMore: boolean
}

export interface PageRequest {
  readonly after?: string | undefined
  readonly limit: number
}

const POLL_MS = 5_000
const PAGE_SIZE = 100
/**
 * For example `c~7~live~p`: seven events after the cursor `c` were returned, in live mode and project `p`. Cursors of
 * the service and of earlier versions of this package have fewer parts.
 */
const CURSOR = /^([\w-]*)(?:~(\d{1,3}))?(?:~((?:live|test)~\w+))?$/

interface FeedPosition {
  after: string | undefined
  returnedCount: number
}

function parsePosition(cursor: string | null | undefined, scope: string): FeedPosition {
  const [, after = '', returnedCount = '0', cursorScope = scope] = CURSOR.exec(cursor ?? '') ?? [
    undefined,
    cursor ?? '',
  ]
  // In another project or mode, the cursor would skip events.
  if (cursorScope !== scope) {
    throw new TypeError(
      'The cursor belongs to another project or the other mode. Store a separate cursor for each project and mode.',
    )
  }
  return { after: after === '' ? undefined : after, returnedCount: Number(returnedCount) }
}

/** Undefined if the response is not a page of events. */
export function parsePage(json: JsonObject): EventPage | undefined {
  const { items, next, hasMore } = json
  if (!Array.isArray(items) || typeof next !== 'string' || typeof hasMore !== 'boolean') return undefined
  return items.every(isEvent) ? { items, next, hasMore } : undefined
}

/** Checks only `id` and `type`, because later versions of the service may add types and fields. */
function isEvent(item: JsonValue): item is JsonObject & FeedEvent {
  return isJsonObject(item) && typeof item['id'] === 'string' && typeof item['type'] === 'string'
}

export class EventFeed implements AsyncIterable<FeedEvent> {
  readonly #readPage: (request: PageRequest) => Promise<EventPage>
  readonly #options: EventFeedOptions
  readonly #scope: string
  #position: FeedPosition

  /** `scope` is the mode and the project, such as `live~p`. */
  constructor(
    readPage: (request: PageRequest) => Promise<EventPage>,
    scope: string,
    options: EventFeedOptions,
  ) {
    this.#readPage = readPage
    this.#scope = scope
    this.#options = options
    this.#position = parsePosition(options.after, scope)
  }

  /**
   * The position after the last returned event, or null at the beginning. Store the cursor in the transaction that
   * handles the event, and pass the cursor as `after` to continue.
   */
  get cursor(): string | null {
    const { after, returnedCount } = this.#position
    if (after === undefined && returnedCount === 0) return null
    return `${after ?? ''}~${returnedCount}~${this.#scope}`
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<FeedEvent, void, undefined> {
    const { follow = false, pollMs = POLL_MS, pageSize = PAGE_SIZE, signal } = this.#options
    for (;;) {
      signal?.throwIfAborted()
      const { after, returnedCount } = this.#position
      // Reads the page again and skips the events that were already returned.
      const page = await this.#readPage({ after, limit: Math.max(pageSize, returnedCount) })
      for (const event of page.items.slice(returnedCount)) {
        this.#position = { after, returnedCount: this.#position.returnedCount + 1 }
        yield event
      }
      this.#position = { after: page.next, returnedCount: 0 }
      if (page.hasMore) continue
      if (!follow) return
      if (page.items.length === returnedCount) await waitFor(pollMs, signal)
    }
  }
}

function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    // A signal that is already aborted sends no abort event.
    signal?.throwIfAborted()
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
