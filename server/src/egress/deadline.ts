// A time limit that can be taken back. AbortSignal.timeout cannot: at a thousand POSTs a second it would leave fifteen
// thousand finished attempts in memory, each waiting for its time to run out.
export class DeadlinePassed extends Error {}

export interface Deadline {
  signal: AbortSignal
  clear: () => void
}

/** Inside another limit, whichever passes first counts. */
export function startDeadline(timeoutMs: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new DeadlinePassed('not done in time')), timeoutMs)
  const onOuter = () => controller.abort(outer?.reason)
  if (outer?.aborted === true) onOuter()
  else outer?.addEventListener('abort', onOuter, { once: true })
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', onOuter)
    },
  }
}
