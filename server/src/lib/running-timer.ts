// A timer that waits longer if its process was paused or got no processor time. During a pause a process cannot read
// what arrives, so a pause alone must not make the timer fire.

/** The time is counted in this many steps. */
const STEPS = 6
/** How many late steps are repeated. Without this limit, a process that is always late would wait forever. */
const REPEATS_MAX = 3

/** Calls `onPassed` after `ms`. Returns a function that cancels the timer. */
export function startRunningTimer(ms: number, onPassed: () => void): () => void {
  const stepMs = ms / STEPS
  let stepsLeft = STEPS
  let repeatsLeft = REPEATS_MAX
  let dueMs = performance.now() + stepMs
  let timer = setTimeout(endStep, stepMs)
  let reading: NodeJS.Immediate | undefined

  function endStep(): void {
    const nowMs = performance.now()
    const isLate = nowMs - dueMs > stepMs
    if (isLate && repeatsLeft > 0) repeatsLeft -= 1
    else stepsLeft -= 1
    // Before `onPassed`, the sockets are read once more.
    if (stepsLeft === 0) {
      reading = setImmediate(onPassed)
      return
    }
    dueMs = nowMs + stepMs
    timer = setTimeout(endStep, stepMs)
  }

  return () => {
    clearTimeout(timer)
    clearImmediate(reading)
  }
}
