// Follows the event stream. Shown rows and the open callback are updated in place. New rows are counted until the user
// asks for them.
import { useEffect, useRef, useState } from 'react'
import type { CallbackStatus, Mode } from '@pazar/contract'
import { reloadDeliveries, reloadDelivery } from '../../api/deliveries.ts'
import type { DeliveryFilter } from '../../api/deliveries.ts'

/** The pause after an error response. After a broken connection, the browser reconnects by itself. */
const RECONNECT_MS = 15_000

/** A CLI usually reports the response to a forwarded callback within this time. */
const REPORT_MS = 3_000

interface CallbackEvent {
  mode: Mode
  status: CallbackStatus
  attempts: number
}

/** Whether the callback is certainly a new row at the top of the list. False if only the service can decide this. */
function isNewIn(filter: DeliveryFilter, { status, attempts }: CallbackEvent): boolean {
  if (filter.q ?? filter.outcome) return false
  // If the oldest rows come first, a new row comes last, and the last rows may not be loaded yet.
  if (filter.order) return false
  if (filter.to && Date.parse(filter.to) < Date.now()) return false
  // A callback with more attempts is older, so its row is further down.
  return attempts === 1 && (filter.status === undefined || filter.status === status)
}

export function useNewDeliveries(
  projectId: string,
  filter: DeliveryFilter,
  shown: readonly { id: string }[],
  openId: string | undefined,
) {
  const [newIds, setNewIds] = useState<ReadonlySet<string>>(new Set())
  const shownIds = new Set(shown.map(({ id }) => id))
  // These values are in a ref, so that the stream stays open when the rows or the filter change.
  const latest = useRef({ shownIds, filter, openId })
  useEffect(() => {
    latest.current = { shownIds, filter, openId }
  })
  const filterText = JSON.stringify(filter)
  useEffect(() => setNewIds(new Set()), [projectId, filterText])
  useEffect(() => {
    const listen = (event: MessageEvent<string>) => {
      const callback = JSON.parse(event.data) as CallbackEvent
      const id = event.lastEventId
      if (callback.mode !== latest.current.filter.mode) return
      const isRow = latest.current.shownIds.has(id)
      // The open callback may have no row, for example if the filter does not match its state after a resend.
      if (isRow || id === latest.current.openId) reload(id)
      if (!isRow && isNewIn(latest.current.filter, callback)) setNewIds((ids) => new Set([...ids, id]))
    }
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const reload = (id: string) => {
      void reloadDelivery(projectId, id)
      timers.add(setTimeout(() => void reloadDelivery(projectId, id), REPORT_MS))
    }
    const stop = followEvents(`/portal/api/projects/${projectId}/events?watch=true`, listen, () =>
      reloadDeliveries(projectId),
    )
    return () => {
      stop()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [projectId])
  return {
    count: [...newIds].filter((id) => !shownIds.has(id)).length,
    reset: () => setNewIds(new Set()),
  }
}

function followEvents(
  address: string,
  listen: (event: MessageEvent<string>) => void,
  onReopened: () => void,
): () => void {
  let events: EventSource
  let timer: ReturnType<typeof setTimeout>
  const open = (isAgain: boolean) => {
    events = new EventSource(address)
    events.addEventListener('callback', listen)
    // If the browser itself reconnects, the service sends the missed events. A new EventSource does not get them.
    if (isAgain) events.addEventListener('open', onReopened, { once: true })
    events.addEventListener('error', () => {
      if (events.readyState === EventSource.CLOSED) timer = setTimeout(() => open(true), RECONNECT_MS)
    })
  }
  open(false)
  return () => {
    clearTimeout(timer)
    events.close()
  }
}
