// Follows the service's event stream after the list was loaded. Rows that are shown are updated in place; new ones are
// counted and appear on request.
import { useEffect, useRef, useState } from 'react'
import type { CallbackStatus, Mode } from '@pazar/contract'
import { reloadDelivery } from '../../api/deliveries.ts'
import type { DeliveryFilter } from '../../api/deliveries.ts'

/** The browser reconnects by itself after a broken connection, but not after an error response, such as a lost session. */
const RECONNECT_MS = 15_000

interface CallbackEvent {
  mode: Mode
  status: CallbackStatus
  attempts: number
}

/** Whether the list would contain this new row. False for filters that only the service can evaluate. */
function isNewIn(filter: DeliveryFilter, { status, attempts }: CallbackEvent): boolean {
  if (filter.q ?? filter.outcome) return false
  if (filter.to && Date.parse(filter.to) < Date.now()) return false
  // A retried older callback belongs further down.
  return attempts === 1 && (filter.status === undefined || filter.status === status)
}

export function useNewDeliveries(
  projectId: string,
  filter: DeliveryFilter,
  shown: readonly { id: string }[],
) {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const known = new Set(shown.map(({ id }) => id))
  const now = useRef({ known, filter })
  useEffect(() => {
    now.current = { known, filter }
  })
  const filterText = JSON.stringify(filter)
  useEffect(() => setSeen(new Set()), [projectId, filterText])
  useEffect(() => {
    const listen = (event: MessageEvent<string>) => {
      const callback = JSON.parse(event.data) as CallbackEvent
      const id = event.lastEventId
      if (callback.mode !== now.current.filter.mode) return
      if (now.current.known.has(id)) void reloadDelivery(projectId, id)
      else if (isNewIn(now.current.filter, callback)) setSeen((before) => new Set([...before, id]))
    }
    return followEvents(`/portal/api/projects/${projectId}/events?watch=true`, listen)
  }, [projectId])
  return {
    count: [...seen].filter((id) => !known.has(id)).length,
    reset: () => setSeen(new Set()),
  }
}

function followEvents(address: string, listen: (event: MessageEvent<string>) => void): () => void {
  let events: EventSource
  let timer: ReturnType<typeof setTimeout>
  const open = () => {
    events = new EventSource(address)
    events.addEventListener('callback', listen)
    events.addEventListener('error', () => {
      if (events.readyState === EventSource.CLOSED) timer = setTimeout(open, RECONNECT_MS)
    })
  }
  open()
  return () => {
    clearTimeout(timer)
    events.close()
  }
}
