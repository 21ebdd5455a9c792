// `npm run ha`, the failover trial: runs several replicas of the service with a replicated PostgreSQL, and makes parts fail
// while payers pay. A trial succeeds only if all chosen scenarios pass and, at the end, the payments in the database agree
// with the upstream's charges.
import { parseArgs } from 'node:util'
import { requirePrograms } from './programs.ts'
import { findFaults, toTable } from './result-table.ts'
import { SCENARIOS } from './scenarios.ts'
import { openTrial } from './trial.ts'
import { inTrialDir } from './trial-dir.ts'

const HELP = `npm run ha                        every scenario (about 15 minutes)
npm run ha -- switchover rolling  only these scenarios
  --pooler   the service connects through PgBouncer in transaction mode
  --install  install missing packages with apt-get (as root, on Debian)
  --keep     keep the directory with the logs even after a success

${SCENARIOS.map(({ name, description }) => `  ${name.padEnd(19)} ${description}`).join('\n')}`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    install: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    pooler: { type: 'boolean', default: false },
  },
})

async function main(): Promise<number> {
  const unknown = positionals.filter((name) => !SCENARIOS.some((one) => one.name === name))
  if (unknown.length > 0) console.error(`Unknown scenario: ${unknown.join(', ')}`)
  if (values.help || unknown.length > 0) {
    console.log(HELP)
    return unknown.length > 0 ? 2 : 0
  }
  const programs = requirePrograms(values)
  if (!programs) return 1

  return inTrialDir('pazar-ha-', values.keep, async (processes) => {
    const chosen = SCENARIOS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
    const trial = await openTrial(programs, processes, values)
    const results = []
    for (const scenario of chosen) {
      console.log(`\n${scenario.name}: ${scenario.description}`)
      const result = await trial.run(scenario).catch((error: unknown) => {
        console.log(`  FAIL: ${error instanceof Error ? error.message : String(error)}`)
        return null
      })
      // After an error the cluster is in an unknown state.
      if (!result) break
      results.push(result)
      for (const fault of findFaults(result)) console.log(`  ${fault}`)
      console.log(toTable([result]))
    }
    const differences = await trial.compareLedgers()
    for (const one of differences) console.log(`the ledgers differ: ${one}`)
    console.log(`\n${toTable(results)}`)
    return (
      differences.length === 0 &&
      results.length === chosen.length &&
      results.every((one) => findFaults(one).length === 0)
    )
  })
}

process.exit(await main())
