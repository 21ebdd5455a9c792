// Reads the events of a project page by page. The cursor always names the position after the last event that was returned,
// so a program can stop at any event and continue there later.
import type { FeedEvent } from './records.ts'
import { isJsonObject } from './strict-json.ts'
import type { JsonObject, JsonValue } from './strict-json.ts'

export interface EventFeedOptions {
  /** `cursor` of an earlier feed of this project and mode. By default the feed starts with the first event. */
  readonly after?: string | null | undefined
  /** Waits for further events instead of ending after the last one. */
  readonly follow?: boolean | undefined
  /** How long to wait between two requests that found nothing, in milliseconds. */
  readonly pollMs?: number | undefined
  /** How many events one request reads: 1 to 500. */
  readonly pageSize?: number | undefined
  /** Ends the iteration with the reason of the signal. */
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

/** A change is read within seconds, and an idle feed makes twelve requests a minute. */
const POLL_MS = 5_000
const PAGE_SIZE = 100
/**
 * `c~7~live~p`: the cursor before a page, how many events of that page were already returned, the mode and the project. A
 * cursor with fewer parts comes from the service, such as `next` of `cursor_expired`, or from an earlier version of this
 * package.
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
  // In another project or mode, other events are at this position, so some of them would be skipped.
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

/** Checks only the fields that identify an event, because new types and fields may be added. */
function isEvent(item: JsonValue): item is JsonObject & FeedEvent {
  return isJsonObject(item) && typeof item['id'] === 'string' && typeof item['type'] === 'string'
}

export class EventFeed implements AsyncIterable<FeedEvent> {
  readonly #readPage: (request: PageRequest) => Promise<EventPage>
  readonly #options: EventFeedOptions
  readonly #scope: string
  #position: FeedPosition

  /** `scope` is the mode and the project, as in the cursor. */
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
   * Store the cursor together with what you stored for the last event, and pass it as `after` to continue in the same
   * project and mode. Null at the beginning.
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
      // The events that were returned before are read again and skipped.
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
