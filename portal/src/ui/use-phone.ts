import { useSyncExternalStore } from 'react'

/** The width below which the style sheet's `sm` does not apply. */
const query = window.matchMedia('(width < 40rem)')

function subscribe(onChange: () => void): () => void {
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/**
 * For a phone on which parts come in another order. The elements themselves must be in that order, because Tab and screen
 * readers follow it.
 */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
