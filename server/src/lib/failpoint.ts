// Lets a test kill the process at one step of a payment or refund (FAIL_AT), as a power cut would.
export const FAIL_STEPS = [
  'S0', // the order is checked, nothing is stored
  'S1', // `processing` is committed, nothing is sent
  'S4', // the upstream has responded, the response is not stored
  'S5', // the result is committed, the payer has no response
  'R0', // a refund is checked, nothing is stored
  'R1', // the amount is reserved, nothing is sent
  'R2', // the upstream has responded to the refund, the response is not stored
  'R3', // the refund's end is committed, the caller has no response
] as const
export type FailStep = (typeof FAIL_STEPS)[number]

export type Failpoint = (step: FailStep) => void | Promise<void>

export function createFailpoint(failAt: FailStep | null): Failpoint {
  return (step) => {
    if (step === failAt) process.kill(process.pid, 'SIGKILL')
  }
}
