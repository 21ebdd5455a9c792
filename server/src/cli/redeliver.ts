// Resends callbacks after a merchant lost data, or after a fault of ours.
import type { CallbackStatus, Mode } from '@pazar/contract'
import { setAuditChanges } from '../accounts/audit-store.ts'
import { recordAudit } from '../accounts/audit.ts'
import type { LockedCallback } from '../callbacks/resend-store.ts'
import { allowProbe, isSuperseded, lockCallback, startNewRound } from '../callbacks/resend-store.ts'
import type { LogCursor, LogFilter } from '../deliveries/log-store.ts'
import { findLogPage } from '../deliveries/log-store.ts'
import { readRestoreGate } from '../db/gate-store.ts'
import type { Tx } from '../db/pool.ts'
import { findOwnerId, listProjectIds } from '../projects/projects-store.ts'
import type { Deps } from '../wire.ts'
import type { Command } from './command.ts'
import { parseFlags, RefusedError, toTable, UsageError } from './command.ts'
import type { Choice } from './redeliver-choice.ts'
import { LIMIT_DEFAULT, LIMIT_MAX, parseChoice, USAGE } from './redeliver-choice.ts'

const PAGE_SIZE = 500

const DETAILS = `Without --send, redeliver is a dry run: it says what would be sent, and changes nothing.
  --project <id>    the callbacks of this project
  --all-projects    those of every project
  --from, --to      created at --from or later, and before --to (ISO 8601, such as 2026-11-16T12:00:00Z; without --to: until now)
  --mode            only live or only test
  --delivered       also those that the merchant has accepted: the merchant gets them twice, under the same webhook-id
  --limit n         sends nothing if more than n callbacks match (${LIMIT_DEFAULT} by default, at most ${LIMIT_MAX})
  --by              who decides, for the audit; by default "operator"
  --send            sends them; delivery processes do it, at the pace the merchant's server can take

It sends callbacks that were given up, and those that failed and wait for their next attempt. It does not send test callbacks without a payment,
callbacks whose payment data was erased, or a "fail" of an order that was paid later. Each callback starts its whole schedule again. The
history of each project whose callbacks are sent gets one entry (callbacks_resent) with their number. If the command is interrupted, run it
again: callbacks that have arrived meanwhile are not sent again, unless --delivered is given.

Exit codes: 0 done, 1 refused, 2 wrong usage.`

interface FoundCallback {
  projectId: string
  id: string
  mode: Mode
}

/**
 * `superseded`: the payment has a later result, or the callback reports a failure of an order that is paid. `in flight`: the
 * callback is being sent now.
 */
export type SkipReason = 'gone' | 'erased' | 'superseded' | 'delivered' | 'in flight'

/** The search took no locks, so by now the callback may be gone, delivered or in flight. */
export function findSkipReason(
  callback: LockedCallback | null,
  { superseded, withDelivered }: { superseded: boolean; withDelivered: boolean },
): SkipReason | null {
  if (!callback) return 'gone'
  if (callback.isErased) return 'erased'
  if (callback.status === 'cancelled' || superseded) return 'superseded'
  if (callback.status === 'sending') return 'in flight'
  return callback.status === 'delivered' && !withDelivered ? 'delivered' : null
}

async function resendOne(
  deps: Deps,
  { projectId, id }: FoundCallback,
  withDelivered: boolean,
  recordSent: ((tx: Tx) => Promise<void>) | null,
) {
  return deps.db.transaction(async (tx) => {
    const callback = await lockCallback(tx, projectId, id)
    const superseded = callback !== null && (await isSuperseded(tx, projectId, id))
    const skipReason = findSkipReason(callback, { superseded, withDelivered })
    if (skipReason === null && recordSent) {
      await startNewRound(tx, projectId, id)
      await recordSent(tx)
    }
    return skipReason
  })
}

async function findAll(deps: Deps, projectIds: readonly string[], choice: Choice): Promise<FoundCallback[]> {
  const statuses: CallbackStatus[] = [
    'exhausted',
    'pending',
    ...(choice.withDelivered ? ['delivered' as const] : []),
  ]
  const found: FoundCallback[] = []
  for (const projectId of projectIds) {
    const filter: LogFilter = {
      projectId,
      modes: choice.modes,
      statuses,
      outcome: null,
      from: choice.from,
      to: choice.to,
    }
    let after: LogCursor | null = null
    for (let isLast = false; !isLast;) {
      const entries = await findLogPage(deps.db, filter, { after, limit: PAGE_SIZE })
      for (const { delivery } of entries) {
        // A callback that waits for its first attempt is sent anyway. A callback without a payment is a test.
        const waitsForFirstAttempt = delivery.status === 'pending' && delivery.attempts === 0
        if (!waitsForFirstAttempt && delivery.transactionId !== null)
          found.push({ projectId, id: delivery.id, mode: delivery.mode })
      }
      if (found.length > choice.limit)
        throw new RefusedError(
          `More than ${choice.limit} callbacks match. Choose a shorter time, one project or mode, or a higher --limit (at most ${LIMIT_MAX}).`,
        )
      after = entries.at(-1)?.cursor ?? null
      isLast = entries.length < PAGE_SIZE
    }
  }
  return found
}

/** Each callback is counted in its own transaction, so that the audit entry is right even if the run is interrupted. */
async function createRecorder(deps: Deps, projectId: string, choice: Choice) {
  const { from, to, withDelivered, by } = choice
  const accountId = await findOwnerId(deps.db, projectId)
  const [mode = null] = choice.modes.length === 1 ? choice.modes : []
  let entryId = ''
  return async (tx: Tx, count: number) => {
    const changes = { count, from: from.toISOString(), to: to.toISOString(), mode, withDelivered, by }
    if (count > 1) return setAuditChanges(tx, entryId, changes)
    entryId = await recordAudit(deps, tx, {
      accountId,
      actor: 'operator',
      client: null,
      action: 'callbacks_resent',
      projectId,
      changes,
    })
  }
}

/** Sends the callbacks of one project, oldest first. A dry run only counts them. */
async function resendAll(
  deps: Deps,
  found: readonly FoundCallback[],
  { choice, isDry, onDone }: { choice: Choice; isDry: boolean; onDone: () => void },
): Promise<Record<SkipReason | 'sent', number>> {
  const counts = { sent: 0, gone: 0, erased: 0, superseded: 0, delivered: 0, 'in flight': 0 }
  const record = await createRecorder(deps, found[0]!.projectId, choice)
  const recordSent = isDry ? null : (tx: Tx) => record(tx, counts.sent + 1)
  for (const one of found.toReversed()) {
    counts[(await resendOne(deps, one, choice.withDelivered, recordSent)) ?? 'sent'] += 1
    onDone()
  }
  if (isDry || counts.sent === 0) return counts
  // If the lane's circuit breaker is open, one trial delivery (a probe) is allowed now.
  for (const mode of new Set(found.map((one) => one.mode))) {
    await allowProbe(deps.db, found[0]!.projectId, mode)
    deps.wakeDelivery({ projectId: found[0]!.projectId, mode })
  }
  return counts
}

async function redeliverAll(
  deps: Deps,
  projectIds: readonly string[],
  choice: Choice,
  isDry: boolean,
): Promise<string> {
  const found = await findAll(deps, projectIds, choice)
  if (found.length === 0) return 'No callback matches.'
  let doneCount = 0
  const onDone = () => {
    doneCount += 1
    if (doneCount % PAGE_SIZE === 0) console.error(`${doneCount} of ${found.length}`)
  }
  const rows: string[][] = []
  let sent = 0
  for (const [projectId, callbacksOfProject] of Map.groupBy(found, (one) => one.projectId)) {
    const counts = await resendAll(deps, callbacksOfProject, { choice, isDry, onDone })
    sent += counts.sent
    rows.push([
      projectId,
      ...[
        counts.sent,
        counts.superseded,
        counts.erased,
        counts.gone + counts.delivered + counts['in flight'],
      ].map(String),
    ])
  }
  return [
    toTable([
      ['PROJECT', isDry ? 'WOULD BE SENT' : 'SENT AGAIN', 'SUPERSEDED', 'ERASED', 'CHANGED MEANWHILE'],
      ...rows,
    ]),
    isDry
      ? `Dry run: nothing was sent. Add --send to send ${sent}.`
      : sent === 1
        ? '1 callback is queued; delivery processes send it.'
        : `${sent} callbacks are queued; delivery processes send them.`,
  ].join('\n')
}

export const redeliver: Command = {
  name: 'redeliver',
  usage: USAGE,
  summary: 'send the callbacks of a period again; a dry run unless --send is given',
  details: DETAILS,
  async run(deps, args) {
    const flags = {
      project: { type: 'string' },
      'all-projects': { type: 'boolean', default: false },
      from: { type: 'string' },
      to: { type: 'string' },
      mode: { type: 'string' },
      delivered: { type: 'boolean' },
      limit: { type: 'string' },
      by: { type: 'string' },
      send: { type: 'boolean', default: false },
    } as const
    const { values, positionals } = parseFlags(USAGE, args, flags)
    // A forgotten --project must not send to all merchants.
    if (positionals.length > 0 || (values.project === undefined) !== values['all-projects'])
      throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
    const choice = parseChoice(values, deps.clock.nowMs())
    if (values.project !== undefined && (await findOwnerId(deps.db, values.project)) === null)
      throw new RefusedError('No project has this id.')
    if ((await readRestoreGate(deps.db)).closedAt !== null)
      throw new RefusedError(
        'Callbacks are stopped after a restore. First: npm run pazar -- reconcile --since <time>',
      )
    const projectIds = values.project === undefined ? await listProjectIds(deps.db) : [values.project]
    return redeliverAll(deps, projectIds, choice, !values.send)
  },
}
