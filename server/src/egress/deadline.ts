// A time limit that can be cancelled. AbortSignal.timeout would keep finished attempts in memory until their timeouts.
export class DeadlinePassed extends Error {}

export interface Deadline {
  signal: AbortSignal
  clear: () => void
}

/** The returned signal aborts after `timeoutMs`, or earlier if `outer` aborts. */
export function startDeadline(timeoutMs: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController()
  const abort = () => controller.abort(new DeadlinePassed('not done in time'))
  let immediate: NodeJS.Immediate | undefined
  // After a pause of the process, timers fire before the sockets are read. With `setImmediate`, a response that has already
  // arrived is still read.
  const timer = setTimeout(() => {
    immediate = setImmediate(abort)
  }, timeoutMs)
  const onOuter = () => controller.abort(outer?.reason)
  if (outer?.aborted === true) onOuter()
  else outer?.addEventListener('abort', onOuter, { once: true })
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer)
      clearImmediate(immediate)
      outer?.removeEventListener('abort', onOuter)
    },
  }
}
