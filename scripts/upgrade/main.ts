// `npm run upgrade:drill` upgrades from an earlier release to this release and back, process by process, while payers pay.
// A drill fails if a request failed, a payment or callback is wrong, or a file of an open portal page was not served. A
// request that failed because connecting to PostgreSQL took too long does not count. Portal files are checked only if both
// releases store them in the database, because only then can each release serve the portal files of both.
import { parseArgs } from 'node:util'
import { explainMissingCommit, EARLIEST_RELEASE } from '../../server/test/old-release.ts'
import { findFaults, toTable } from '../ha/result-table.ts'
import { inTrialDir } from '../ha/trial-dir.ts'
import { runDrill } from './drill.ts'

const HELP = `npm run upgrade:drill                     upgrade from the oldest release that can run beside this one (${EARLIEST_RELEASE.slice(0, 7)}), and roll back to it
npm run upgrade:drill -- --from <commit>  upgrade from another release
  --payments n   payments between two steps (20 by default)
  --keep         keep the directory with the logs even after a success`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    from: { type: 'string', default: EARLIEST_RELEASE },
    payments: { type: 'string', default: '20' },
    keep: { type: 'boolean', default: false },
  },
})

async function main(): Promise<number> {
  const payments = /^[1-9]\d{0,3}$/.test(values.payments) ? Number(values.payments) : null
  if (values.help || payments === null) {
    console.log(HELP)
    return values.help ? 0 : 2
  }
  const whyMissing = await explainMissingCommit(values.from)
  if (whyMissing !== null) {
    console.error(whyMissing)
    return 1
  }
  return inTrialDir('pazar-upgrade-', values.keep, async (processes) => {
    const { result, missingFiles } = await runDrill({
      from: values.from,
      paymentsPerStep: payments,
      processes,
    })
    const faults = [...findFaults(result), ...missingFiles]
    for (const fault of faults) console.log(`  ${fault}`)
    console.log(`\n${toTable([result])}`)
    return faults.length === 0
  })
}

process.exit(await main())
