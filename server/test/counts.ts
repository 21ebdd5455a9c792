// How much each heavy test does: a small share in `npm test`, the whole in `npm run prove`. The runner chooses
// the share in the environment, which is read here and nowhere else.
const table = {
  confirmRaces: { ci: 50, prove: 1_500 },
  kills: { ci: 10, prove: 150 },
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
  rollingRestarts: { ci: 2, prove: 25 },
  sideBySide: { ci: 1, prove: 10 },
  plantedBugs: { ci: 0, prove: 123 },
  qrCodes: { ci: 40, prove: 500 },
  browserPayloads: { ci: 20, prove: 200 },
  slowSockets: { ci: 200, prove: 2_000 },
  silentDatabase: { ci: 1, prove: 20 },
  readOnlyDatabase: { ci: 1, prove: 10 },
} as const satisfies Record<string, { ci: number; prove: number }>

export type HeavyTest = keyof typeof table

export const share: 'ci' | 'prove' = process.env.PAZAR_PROVE === '1' ? 'prove' : 'ci'

/** Anything that takes a line for the report; `node:test`'s context does. */
export interface Report {
  diagnostic(message: string): void
}

/** What `npm run prove` does. */
export const wholeCount = (name: HeavyTest): number => table[name].prove

/** The count to run, printed into the test's report so that a run says what it really did. */
export function count(name: HeavyTest, report?: Report): number {
  const rounds = table[name][share]
  report?.diagnostic(`${name}: ${rounds} (${share} share)`)
  return rounds
}
