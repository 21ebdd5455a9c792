// Browser tests of portal details. A fault in these details costs no money and reveals no secret. Together, these tests
// took a fifth of the time of a whole `npm test`, so a whole `npm test` runs only some of them: the first tests of each
// file. `npm run prove`, `npm run test:changed` and `npm test -- <file>` run all of them.
import { test } from 'node:test'
import { countRounds, isWholeTest } from '../counts.ts'

const REASON = 'left out of a whole npm test'

/** Each test file calls this function once and uses the result instead of `test`. */
export function detailTests(): (title: string, run: NonNullable<Parameters<typeof test>[0]>) => void {
  let listed = 0
  return (title, run) => {
    listed += 1
    const isLeftOut = isWholeTest && listed > countRounds('portalDetails')
    void test(title, { skip: isLeftOut && REASON }, run)
  }
}
