import { useSyncExternalStore } from 'react'

/** Below this width, style classes that begin with `sm:` do not apply. */
const query = window.matchMedia('(width < 40rem)')

function subscribe(onChange: () => void): () => void {
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/**
 * For parts that come in another order on a phone. CSS could change only the visible order, not the order for the
 * Tab key and screen readers.
 */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
