export interface SafetyFacts {
  passkeys: number
  hasApp: boolean
  recoveryCodesLeft: number
  emailConfirmed: boolean
}

export interface Safety {
  level: 'weak' | 'fair' | 'strong'
  checks: { name: 'factor' | 'spare' | 'codes' | 'email'; isDone: boolean }[]
}

/** How many recovery codes should be left. If fewer are left, the page offers to create new codes. */
const RECOVERY_CODES_MIN = 3

export function toSafety({ passkeys, hasApp, recoveryCodesLeft, emailConfirmed }: SafetyFacts): Safety {
  const factorCount = passkeys + (hasApp ? 1 : 0)
  const all: Safety['checks'] = [
    { name: 'factor', isDone: factorCount > 0 },
    { name: 'spare', isDone: factorCount > 1 },
    { name: 'codes', isDone: recoveryCodesLeft >= RECOVERY_CODES_MIN },
    { name: 'email', isDone: emailConfirmed },
  ]
  // A spare factor and recovery codes replace a lost factor, so they are checked only if there is a factor.
  const checks = all.filter(({ name }) => factorCount > 0 || name === 'factor' || name === 'email')
  // The spare factor is optional, because recovery codes replace a lost factor too.
  const isComplete = checks.every(({ name, isDone }) => isDone || name === 'spare')
  return { level: factorCount === 0 ? 'weak' : isComplete ? 'strong' : 'fair', checks }
}
