// A gate is a dialog that interrupts requests: "sign in again" or "confirm it is you". All requests that need the same
// dialog share it.
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

/** False if the user dismissed the dialog. */
export async function passGate(kind: Gate): Promise<boolean> {
  // While a dialog of the other kind is open, this request waits. A loop, because another request can open such a dialog
  // again before this request continues.
  while (openGate && openGate.kind !== kind) await openGate.passed
  if (!openGate) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    openGate = { kind, passed: promise, settle: resolve }
    notify()
  }
  return openGate.passed
}

/** Closes the open dialog. `passed`: the user has completed it. */
export function settleGate(passed: boolean): void {
  const settled = openGate
  openGate = null
  if (settled) settledCounts[settled.kind][passed ? 'passed' : 'dismissed'] += 1
  notify()
  settled?.settle(passed)
}

export const countSettled = () => structuredClone(settledCounts)

export const gateStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  current: (): Gate | null => openGate?.kind ?? null,
}
