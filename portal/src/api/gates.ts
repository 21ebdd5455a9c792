// A gate is a dialog that can interrupt any request: "sign in again" or "confirm it is you". Requests wait here until the
// user has completed or dismissed the dialog. All requests that need the same dialog share it.
export type Gate = 'sign-in' | 'step-up'

interface OpenGate {
  kind: Gate
  passed: Promise<boolean>
  settle: (passed: boolean) => void
}

let openGate: OpenGate | null = null
const settledCounts = { 'sign-in': { passed: 0, dismissed: 0 }, 'step-up': { passed: 0, dismissed: 0 } }
const listeners = new Set<() => void>()

function notify(): void {
  for (const listener of listeners) listener()
}

/** Opens the dialog and waits. True once the user has completed it, false if they dismissed it. */
export async function passGate(kind: Gate): Promise<boolean> {
  // Only one dialog is open at a time. A request that needs the other dialog waits until this one is closed.
  if (openGate && openGate.kind !== kind) await openGate.passed
  if (!openGate) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    openGate = { kind, passed: promise, settle: resolve }
    notify()
  }
  return openGate.passed
}

/** Closes the open dialog, if there is one. `passed`: whether the user has completed it. */
export function settleGate(passed: boolean): void {
  const settled = openGate
  openGate = null
  if (settled) settledCounts[settled.kind][passed ? 'passed' : 'dismissed'] += 1
  notify()
  settled?.settle(passed)
}

/** How often the user has completed and dismissed each dialog so far. */
export const countSettled = () => structuredClone(settledCounts)

export const gateStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  current: (): Gate | null => openGate?.kind ?? null,
}
