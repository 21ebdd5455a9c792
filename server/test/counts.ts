// How many rounds each heavy test runs: few or none in `npm test`, more in `npm run prove`.
const table = {
  confirmRaces: { ci: 50, prove: 1_500 },
  kills: { ci: 10, prove: 150 },
  callbackKills: { ci: 10, prove: 150 },
  ownerChanges: { ci: 1, prove: 25 },
  databaseRestarts: { ci: 2, prove: 25 },
  unknownOutcomes: { ci: 50, prove: 2_000 },
  upstreamWebhooks: { ci: 500, prove: 30_000 },
  rebindingRounds: { ci: 50, prove: 1_000 },
  addressClassifier: { ci: 50_000, prove: 2_000_000 },
  apiFuzz: { ci: 10_000, prove: 200_000 },
  forgeries: { ci: 5_000, prove: 100_000 },
  oldSecretAfterRotation: { ci: 50, prove: 2_000 },
  passwordStorms: { ci: 5, prove: 100 },
  projectLimitRaces: { ci: 10, prove: 200 },
  paymentsEndToEnd: { ci: 500, prove: 50_000 },
  feedChanges: { ci: 2_000, prove: 100_000 },
  rollingRestarts: { ci: 2, prove: 25 },
  journeyCombinations: { ci: 1, prove: 4 },
  browserVariants: { ci: 1, prove: 2 },
  browserCases: { ci: 2, prove: 12 },
  portalDetails: { ci: 2, prove: 20 },
  pageStates: { ci: 1, prove: 20 },
  docsAxe: { ci: 9, prove: 100 },
  sideBySide: { ci: 1, prove: 10 },
  releaseInstalls: { ci: 0, prove: 1 },
  plantedBugs: { ci: 0, prove: 388 },
  qrCodes: { ci: 8, prove: 500 },
  qrSizes: { ci: 5, prove: 61 },
  qrPngSizes: { ci: 3, prove: 8 },
  browserPayloads: { ci: 20, prove: 200 },
  slowSockets: { ci: 200, prove: 2_000 },
  lostDatabaseLanguages: { ci: 1, prove: 2 },
  silentDatabase: { ci: 1, prove: 20 },
  readOnlyDatabase: { ci: 1, prove: 10 },
  refundRaces: { ci: 50, prove: 1_000 },
  unknownRefunds: { ci: 50, prove: 1_000 },
  bookHistories: { ci: 4, prove: 100 },
  restoredPayments: { ci: 20, prove: 500 },
} as const satisfies Record<string, { ci: number; prove: number }>

export type HeavyTest = keyof typeof table

export const runShare: 'ci' | 'prove' = process.env.PAZAR_PROVE === '1' ? 'prove' : 'ci'

/** Whether `npm test` is running all test files. */
export const isWholeTest = process.env.PAZAR_WHOLE_TEST === '1'

export interface Report {
  diagnostic(message: string): void
}

export const countAllRounds = (name: HeavyTest): number => table[name].prove

export function countRounds(name: HeavyTest, report?: Report): number {
  const rounds = table[name][runShare]
  report?.diagnostic(`${name}: ${rounds} (${runShare} share)`)
  return rounds
}

/**
 * Picks as many cases as this run has rounds, from index `startAt`. Tests start at different indexes, so that `npm test`
 * covers every language and theme.
 */
export function pickCases<T>(
  name: HeavyTest,
  cases: readonly T[],
  { startAt = 0, report }: { startAt?: number; report?: Report } = {},
): readonly T[] {
  const picked = Math.min(countRounds(name, report), cases.length)
  return Array.from({ length: picked }, (_, n) => cases[(startAt + n) % cases.length]!)
}
