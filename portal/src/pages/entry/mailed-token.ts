// The token behind the # of a mailed link. It is read once and taken out of the address, so that neither the history nor
// a shoulder nor a screenshot keeps it.
import { useEffect, useState } from 'react'

export function useMailedToken(): string | null {
  const [token] = useState(() => /^#token=([\w-]+)$/.exec(location.hash)?.[1] ?? null)
  useEffect(() => {
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search)
  }, [])
  return token
}
