import { useSyncExternalStore } from 'react'

/** The width below which the style sheet's `sm` does not apply. */
const query = window.matchMedia('(width < 40rem)')

function subscribe(onChange: () => void): () => void {
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** For a phone on which parts come in another order. Only with the order of the elements do Tab and screen readers follow it. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
