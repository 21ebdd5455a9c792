// Two questions that can come in the middle of anything: "sign in again" and "confirm it is you". Whoever meets one
// waits here until the person has answered, however many calls meet it at once.
export type Gate = 'sign-in' | 'step-up'

interface OpenGate {
  kind: Gate
  passed: Promise<boolean>
  settle: (passed: boolean) => void
}

let open: OpenGate | null = null
const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of listeners) listener()
}

/** True once the person has proved itself, false if it gave up. */
export async function passGate(kind: Gate): Promise<boolean> {
  // One dialog at a time: a call that needs the other one asks again when this is settled.
  if (open && open.kind !== kind) await open.passed
  if (!open) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    open = { kind, passed: promise, settle: resolve }
    tell()
  }
  return open.passed
}

export function settleGate(passed: boolean): void {
  const settled = open
  open = null
  tell()
  settled?.settle(passed)
}

export const gateStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  current: (): Gate | null => open?.kind ?? null,
}
