// What has happened since the list was drawn, told by the service as it happens. Rows that are shown change where they
// stand; for new ones the list stays put until asked.
import { useEffect, useRef, useState } from 'react'
import type { CallbackStatus, Mode } from '@pazar/contract'
import { reloadDelivery } from '../../api/deliveries.ts'
import type { DeliveryWish } from '../../api/deliveries.ts'

/** The browser comes back by itself after a broken line, but not after a refusal; the session may be there again by then. */
const OPEN_AGAIN_MS = 15_000

interface Told {
  mode: Mode
  status: CallbackStatus
  attempts: number
}

/** Whether a row that is not shown would be in this list; where only the service can tell, it is not announced. */
function isNewIn(wish: DeliveryWish, { status, attempts }: Told): boolean {
  if (wish.q ?? wish.outcome) return false
  if (wish.to && Date.parse(wish.to) < Date.now()) return false
  // An old one that was tried again has its place further down.
  return attempts === 1 && (wish.status === undefined || wish.status === status)
}

export function useNewDeliveries(projectId: string, wish: DeliveryWish, shown: readonly { id: string }[]) {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const known = new Set(shown.map(({ id }) => id))
  const now = useRef({ known, wish })
  useEffect(() => {
    now.current = { known, wish }
  })
  const written = JSON.stringify(wish)
  useEffect(() => setSeen(new Set()), [projectId, written])
  useEffect(() => {
    const listen = (event: MessageEvent<string>) => {
      const told = JSON.parse(event.data) as Told
      const id = event.lastEventId
      if (told.mode !== now.current.wish.mode) return
      if (now.current.known.has(id)) void reloadDelivery(projectId, id)
      else if (isNewIn(now.current.wish, told)) setSeen((before) => new Set([...before, id]))
    }
    return followEvents(`/portal/api/projects/${projectId}/events?watch=true`, listen)
  }, [projectId])
  return {
    count: [...seen].filter((id) => !known.has(id)).length,
    forget: () => setSeen(new Set()),
  }
}

function followEvents(address: string, listen: (event: MessageEvent<string>) => void): () => void {
  let events: EventSource
  let timer: ReturnType<typeof setTimeout>
  const open = () => {
    events = new EventSource(address)
    events.addEventListener('callback', listen)
    events.addEventListener('error', () => {
      if (events.readyState === EventSource.CLOSED) timer = setTimeout(open, OPEN_AGAIN_MS)
    })
  }
  open()
  return () => {
    clearTimeout(timer)
    events.close()
  }
}
