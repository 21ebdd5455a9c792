import { LOGO_SIDE_MAX } from '@pazar/contract'

const LOGO_FAULTS = ['unknown_format', 'truncated', 'damaged', 'too_large', 'animated'] as const
export type LogoFault = (typeof LOGO_FAULTS)[number]

export class LogoError extends Error {
  override readonly name = 'LogoError'
  readonly fault: LogoFault
  constructor(fault: LogoFault) {
    super(fault)
    this.fault = fault
  }
}

export function requireSize(width: number, height: number): void {
  if (width < 1 || height < 1) throw new LogoError('damaged')
  if (width > LOGO_SIDE_MAX || height > LOGO_SIDE_MAX) throw new LogoError('too_large')
}
