import { useSyncExternalStore } from 'react'

/** The width below which `sm` does not apply. */
const query = window.matchMedia('(width < 40rem)')

function subscribe(onChange: () => void): () => void {
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** For parts that come in another order on a phone. Tab and screen readers follow the order of the elements. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
