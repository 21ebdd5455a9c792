import type { EventPage, EventView } from '@pazar/contract'
import { formatDateTime, formatMoney, formatWait } from '@pazar/words'
import { setTimeout as sleep } from 'node:timers/promises'
import { CliError } from '../cli-error.ts'
import type { Invocation, Command } from '../command.ts'
import { FOLLOW_TIMES, isFinal, toWait } from '../follow-events.ts'
import { span, toTable } from '../terminal.ts'
import type { Span } from '../terminal.ts'
import { requireMode, requireWholeNumber } from '../values.ts'

const LIMIT_DEFAULT = '20'
const POLL_MS = 2_000

export const events: Command = {
  name: 'events',
  args: [],
  options: {
    mode: { value: 'live|test' },
    after: { value: '<cursor>' },
    limit: { value: '<n>' },
    follow: {},
  },
  example: 'pazar-cli events --mode test --limit 10',
  async run(invocation) {
    const { words, session } = invocation
    const mode = invocation.optionValue('mode')
    const request = {
      projectId: await session.requireProjectId(),
      mode: mode && requireMode(words, mode),
      limit: requireWholeNumber(words, 'limit', invocation.optionValue('limit') ?? LIMIT_DEFAULT),
    }
    const read = (after: string | undefined) =>
      session.api().post<EventPage>('/sdk/events/list', { ...request, after })
    if (invocation.isSet('follow')) return follow(invocation, read)
    const page = await read(invocation.optionValue('after'))
    const rows = page.items.map((event) => toRow(invocation, event))
    const moreLines = page.hasMore ? [words.events.more(page.next)] : []
    return { json: page, lines: rows.length > 0 ? [...toTable(rows), ...moreLines] : [words.empty.events] }
  },
}

/** Prints events until Ctrl+C or an error that a retry cannot fix. An error before the first page is not retried. */
async function follow(invocation: Invocation, read: (after: string | undefined) => Promise<EventPage>) {
  const { terminal, isJson, signal, words, locale } = invocation
  let after = invocation.optionValue('after')
  let losses = 0
  let hasRead = false
  while (!signal.aborted) {
    let page: EventPage
    try {
      page = await read(after)
    } catch (error) {
      if (!hasRead || signal.aborted || !(error instanceof CliError) || isFinal(error, true)) throw error
      const waitMs = Math.max(toWait(losses, FOLLOW_TIMES), (error.facts.retryAfterSec ?? 0) * 1000)
      losses += 1
      terminal.printStatus([
        span('dim', `${error.message} ${words.listen.again(formatWait(locale, waitMs))}`),
      ])
      await sleep(waitMs, undefined, { signal }).catch(() => undefined) // Ctrl+C ends the wait and the loop.
      continue
    }
    hasRead = true
    losses = 0
    after = page.next
    for (const event of page.items)
      terminal.print(isJson ? JSON.stringify(event) : toTable([toRow(invocation, event)])[0]!)
    // Ctrl+C during the pause ends the loop.
    if (!page.hasMore) await sleep(POLL_MS, undefined, { signal }).catch(() => undefined)
  }
  return { json: undefined, lines: [] }
}

function toRow(
  { locale, catalogue }: Invocation,
  { at, type, transactionId, payload }: EventView,
): (string | Span)[] {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const { states } = catalogue.portal.payments
  return [
    span('dim', formatDateTime(locale, new Date(at), timeZone)),
    type,
    payload.mode,
    span('strong', payload.customId ?? transactionId),
    formatMoney(locale, BigInt(payload.amount), payload.currency, payload.scale),
    // Only events of payments have needsReview.
    'needsReview' in payload ? states[payload.state] : payload.state,
  ]
}
