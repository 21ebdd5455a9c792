import { mode as modes } from '@pazar/contract'
import type { Mode } from '@pazar/contract'
import { toDate } from '../lib/clock.ts'
import { UsageError } from './command.ts'
import { parseTime } from './parse-time.ts'

export const USAGE =
  'redeliver (--project <id> | --all-projects) --from <time> [--to <time>] [--mode live|test] [--delivered] [--limit n] [--by name] [--send]'
export const LIMIT_DEFAULT = 1_000
export const LIMIT_MAX = 50_000
const BY_MAX = 64

export interface Choice {
  from: Date
  to: Date
  modes: readonly Mode[]
  withDelivered: boolean
  limit: number
  by: string
}

function parseLimit(text: string | undefined): number {
  const limit = /^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : NaN
  if (text === undefined) return LIMIT_DEFAULT
  if (!(limit <= LIMIT_MAX)) throw new UsageError(`--limit must be a number from 1 to ${LIMIT_MAX}.`)
  return limit
}

interface GivenFlags {
  from?: string | undefined
  to?: string | undefined
  mode?: string | undefined
  delivered?: boolean | undefined
  limit?: string | undefined
  by?: string | undefined
}

export function parseChoice(given: GivenFlags, nowMs: number): Choice {
  if (given.from === undefined) throw new UsageError(`--from is missing. Usage: npm run pazar -- ${USAGE}`)
  const from = parseTime('--from', given.from, nowMs)
  const to = given.to === undefined ? toDate(nowMs) : parseTime('--to', given.to, nowMs)
  if (to <= from) throw new UsageError('--to must be after --from.')
  const mode = modes.options.find((one) => one === given.mode)
  if (given.mode !== undefined && mode === undefined) throw new UsageError('--mode must be live or test.')
  const by = given.by ?? 'operator'
  if (by === '' || by.length > BY_MAX) throw new UsageError(`--by must have 1 to ${BY_MAX} characters.`)
  return {
    from,
    to,
    modes: mode === undefined ? modes.options : [mode],
    withDelivered: given.delivered ?? false,
    limit: parseLimit(given.limit),
    by,
  }
}
