// Shows a secret for at most a minute. The secret is also hidden when the tab is hidden or the page is left.
import { useCallback, useEffect, useState } from 'react'

const SHOWN_MS = 60_000

export interface ShownSecret {
  value: string | null
  show: (value: string) => void
  hide: () => void
}

export function useShownSecret(): ShownSecret {
  const [value, setValue] = useState<string | null>(null)
  const hide = useCallback(() => setValue(null), [])
  // A secret that arrives while the tab is hidden is not shown, because the event that would hide it has already happened.
  const show = useCallback(
    (secret: string) => setValue(document.visibilityState === 'hidden' ? null : secret),
    [],
  )
  useEffect(() => {
    if (value === null) return
    const timer = setTimeout(hide, SHOWN_MS)
    const hideIfHidden = () => document.visibilityState === 'hidden' && hide()
    document.addEventListener('visibilitychange', hideIfHidden)
    window.addEventListener('pagehide', hide)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', hideIfHidden)
      window.removeEventListener('pagehide', hide)
    }
  }, [value, hide])
  return { value, show, hide }
}
