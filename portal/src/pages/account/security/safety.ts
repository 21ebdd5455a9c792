// How safe an account is, as a plain rule: what is in place, and a level from it.

export interface SafetyFacts {
  passkeys: number
  hasApp: boolean
  recoveryCodesLeft: number
  emailConfirmed: boolean
}

export interface Safety {
  level: 'weak' | 'fair' | 'strong'
  checks: { name: 'factor' | 'spare' | 'codes' | 'email'; isRight: boolean }[]
}

/** Fewer are soon used up. */
const ENOUGH_CODES = 3

export function toSafety({ passkeys, hasApp, recoveryCodesLeft, emailConfirmed }: SafetyFacts): Safety {
  const ways = passkeys + (hasApp ? 1 : 0)
  const all: Safety['checks'] = [
    { name: 'factor', isRight: ways > 0 },
    { name: 'spare', isRight: ways > 1 },
    { name: 'codes', isRight: recoveryCodesLeft >= ENOUGH_CODES },
    { name: 'email', isRight: emailConfirmed },
  ]
  // Without a second factor there is nothing that a spare one or codes would replace.
  const checks = all.filter(({ name }) => ways > 0 || name === 'factor' || name === 'email')
  // A second device is good to have, but codes are enough to get back in.
  const isComplete = checks.every(({ name, isRight }) => isRight || name === 'spare')
  return { level: ways === 0 ? 'weak' : isComplete ? 'strong' : 'fair', checks }
}
