// A timer that does not fire early for a process that was paused or got no processor time. Such a process cannot have read
// what arrived meanwhile, so that time must not end its waits.

/** The time is counted in this many steps. */
const STEPS = 6

/** Calls `onPassed` after `ms`. A late step is repeated, up to as many times as there are steps. */
export function startRunningTimer(ms: number, onPassed: () => void): () => void {
  const stepMs = ms / STEPS
  let stepsLeft = STEPS
  let repeatsLeft = STEPS
  let dueMs = performance.now() + stepMs
  let timer = setTimeout(endStep, stepMs)

  function endStep(): void {
    const nowMs = performance.now()
    const isLate = nowMs - dueMs > stepMs
    if (isLate && repeatsLeft > 0) repeatsLeft -= 1
    else stepsLeft -= 1
    if (stepsLeft === 0) return onPassed()
    dueMs = nowMs + stepMs
    timer = setTimeout(endStep, stepMs)
  }

  return () => clearTimeout(timer)
}
