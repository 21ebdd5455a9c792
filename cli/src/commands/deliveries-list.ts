import type { AttemptView, CallbackView } from '@pazar/contract'
import { formatDateTime } from '@pazar/words'
import type { Invocation, Command } from '../command.ts'
import { span, toTable } from '../terminal.ts'
import type { Span } from '../terminal.ts'

type Delivery = CallbackView & { lastAttempt: AttemptView | null }

export const deliveriesList: Command = {
  name: 'deliveries list',
  args: [],
  options: {
    mode: { value: 'live|test' },
    status: { value: '<status>' },
    search: { value: '<text>' },
    limit: { value: '<n>' },
  },
  example: 'pazar-cli deliveries list --mode test --limit 10',
  async run(invocation) {
    const { words, session } = invocation
    const query = new URLSearchParams({ limit: invocation.optionValue('limit') ?? '20' })
    for (const [option, name] of [
      ['mode', 'mode'],
      ['status', 'status'],
      ['search', 'q'],
    ] as const) {
      const value = invocation.optionValue(option)
      if (value !== undefined) query.set(name, value)
    }
    const list = await session
      .api()
      .get<{ items: Delivery[] }>(`${await session.pathOf('deliveries')}?${query}`)
    const rows = list.items.map((delivery) => toRow(invocation, delivery))
    return { json: list, lines: rows.length > 0 ? toTable(rows) : [words.empty.deliveries] }
  },
}

function toRow({ catalogue, locale }: Invocation, delivery: Delivery): (string | Span)[] {
  const { status, lastAttempt, customId } = delivery
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const isGood = status === 'delivered'
  return [
    span('dim', formatDateTime(locale, new Date(delivery.createdAt), timeZone)),
    delivery.id,
    delivery.mode,
    delivery.event,
    delivery.result ?? '–',
    customId ?? '–',
    span(isGood ? 'good' : 'bad', catalogue.portal.deliveries.statuses[status]),
    lastAttempt === null ? '' : `[${toResponseText(lastAttempt)}]`,
  ]
}

/**
 * Returns the status code of the attempt. If there is none, and the callback was delivered: `listeners` (the connected CLIs)
 * or the URL of the inbox. If there is none, and the callback was not delivered: the outcome.
 */
function toResponseText({ statusCode, outcome, url }: AttemptView): string {
  if (statusCode !== null) return String(statusCode)
  return outcome === 'delivered' ? url : outcome
}
