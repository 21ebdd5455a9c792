import type { EventPage, EventView } from '@pazar/contract'
import { formatDateTime, formatMoney } from '@pazar/words'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Invocation, Command } from '../command.ts'
import { span, toTable } from '../terminal.ts'
import type { Span } from '../terminal.ts'
import { requireOneOf, requireWholeNumber } from '../values.ts'

const LIMIT_DEFAULT = '20'
/** Short, because a person is watching. */
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
      mode: mode && requireOneOf({ words, name: '--mode', value: mode }, ['live', 'test']),
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

/** Prints the events after --after, or without it all from the first one, and then further ones as they arrive, until Ctrl+C. */
async function follow(invocation: Invocation, read: (after: string | undefined) => Promise<EventPage>) {
  const { terminal, isJson, signal } = invocation
  let after = invocation.optionValue('after')
  while (!signal.aborted) {
    const page = await read(after)
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
    // Only events of payments have needsReview. States of refunds and disputes are printed unchanged.
    'needsReview' in payload ? states[payload.state] : payload.state,
  ]
}
