// The token in the hash of a mailed link. It is removed from the address, so that no history and no screenshot contains
// it.
import { useEffect, useState } from 'react'

export function useMailedToken(): string | null {
  const [token] = useState(() => /^#token=([\w-]+)$/.exec(location.hash)?.[1] ?? null)
  useEffect(() => {
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search)
    // If another mailed link is pasted into the address bar, only the hash changes. The browser then does not load the page
    // again by itself, so the new token would not be read.
    const reload = () => location.hash.startsWith('#token=') && location.reload()
    window.addEventListener('hashchange', reload)
    return () => window.removeEventListener('hashchange', reload)
  }, [])
  return token
}
