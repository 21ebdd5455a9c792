// Shows a secret for at most a minute. It is also hidden on request, when the tab is hidden, and when the page is left, even
// if the browser keeps the page for Back.
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
  // The secret may arrive after the tab was hidden. Then no event would hide it any more.
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
