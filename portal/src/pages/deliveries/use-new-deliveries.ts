// What has happened since the list was drawn, told by the service as it happens. The list itself stays put until asked.
import { useEffect, useState } from 'react'
import type { Mode } from '@pazar/contract'

export function useNewDeliveries(projectId: string, mode: Mode, shown: readonly { id: string }[]) {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    setSeen(new Set())
    // The browser connects again by itself and says where it stopped.
    const events = new EventSource(`/portal/api/projects/${projectId}/events`)
    events.addEventListener('callback', (event) => {
      const facts = JSON.parse(String(event.data)) as { mode?: Mode }
      if (facts.mode === mode) setSeen((before) => new Set([...before, event.lastEventId]))
    })
    return () => events.close()
  }, [projectId, mode])
  const known = new Set(shown.map(({ id }) => id))
  return {
    count: [...seen].filter((id) => !known.has(id)).length,
    forget: () => setSeen(new Set()),
  }
}
