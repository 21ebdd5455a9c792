import { ConfigError, loadConfig } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { createLogger } from '../lib/logger.ts'
import type { Command, Printed } from './command.ts'
import { parseFlags, UsageError } from './command.ts'
import { CHECKS, examine } from './doctor/examine.ts'
import type { Finding } from '../lib/finding.ts'
import { toConfigFindings } from './doctor/settings-findings.ts'

/** This command has no `run`, because it must work even without a database or with invalid settings. */
export const doctor: Omit<Command, 'run'> = {
  name: 'doctor',
  usage: 'doctor [--json]',
  summary:
    'check settings, database, clocks, DNS, mail, upstream, proxy and disk, and say how to repair what is wrong',
  details: `Run it with the settings of the service, as its user and on its machine. It changes nothing and sends no mail.
If a setting is invalid, only the invalid settings are reported, because nothing else can be checked.

--json  print { problems, warnings, findings: [{ name, level, what, where, fix }] }

Exit codes: 0 no problem (there may be warnings), 1 at least one problem, 2 wrong usage.`,
}

interface Findings {
  findings: Finding[]
  checks: string
}

async function findAll(): Promise<Findings> {
  try {
    const findings = await examine({
      config: loadConfig(),
      clock: systemClock,
      log: createLogger('silent'),
    })
    return { findings, checks: CHECKS }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { findings: toConfigFindings(error.problems), checks: 'config only' }
  }
}

export function printFindings(findings: readonly Finding[], asJson: boolean, checks = CHECKS): Printed {
  const problems = findings.filter(({ level }) => level === 'problem').length
  const warnings = findings.length - problems
  const exitCode = problems > 0 ? 1 : 0
  if (asJson) return { text: JSON.stringify({ problems, warnings, findings }, null, 2), exitCode }
  const lines = findings.map(
    ({ name, level, what, where, fix }) => `${level}: ${name} (${where})\n  ${what}\n  Repair: ${fix}\n`,
  )
  const end = `Problems: ${problems}. Warnings: ${warnings}. Checked: ${checks}.`
  return { text: [...lines, end].join('\n'), exitCode }
}

export async function runDoctor(args: readonly string[]): Promise<Printed> {
  const { values, positionals } = parseFlags(doctor.usage, args, { json: { type: 'boolean' } })
  if (positionals.length > 0) throw new UsageError(`Usage: npm run pazar -- ${doctor.usage}`)
  const { findings, checks } = await findAll()
  return printFindings(findings, values.json === true, checks)
}
