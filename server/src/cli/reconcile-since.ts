// After a restore, `reconcile --since` stores the payments, refunds and disputes that the upstreams list but the backup
// does not have.
import { toUpstreamFault } from '../backends/backend.ts'
import { findStoppedSince } from '../db/gate-view.ts'
import { UncheckableError } from '../reconciliation/read-lists.ts'
import type { GateResult, ReconciledUpstream } from '../reconciliation/reconcile-since.ts'
import { reconcileSince } from '../reconciliation/reconcile-since.ts'
import type { Deps } from '../wire.ts'
import { toReconcileCommand } from './advice.ts'
import type { Printed } from './command.ts'
import { RefusedError, toCell } from './command.ts'
import { parseTime } from './parse-time.ts'

const GATE_TEXTS: Record<GateResult, string> = {
  was_open: 'Payments were not stopped.',
  opened: 'Payments, refunds and callbacks go on.',
  kept_closed: 'Payments stay stopped.',
  not_configured:
    'Payments stay stopped: run the command with the settings of the service (BACKEND, BACKENDS_KEPT). If an upstream is gone, compare its payments by hand, then add --accept-unlisted.',
  unlisted:
    'Payments stay stopped: an upstream does not list its payments. Compare them at the upstream, then add --accept-unlisted.',
  unmarked:
    'Payments stay stopped: an upstream lists charges without our metadata (orphan_charge). Compare them, then add --accept-unlisted.',
  failed:
    'Payments stay stopped: not everything could be read and stored. Run it again. If the same entries keep failing (see the log), compare them at the upstream, then add --accept-failed.',
  since_too_late:
    'Payments stay stopped: --since is later than the last row of the backup. Use this time or an earlier one:',
}

const FAILED_RESULTS: ReadonlySet<GateResult> = new Set([
  'not_configured',
  'unlisted',
  'unmarked',
  'failed',
  'since_too_late',
])

function toLine({ upstream, isListed, payments, refunds, disputes }: ReconciledUpstream): string {
  if (!isListed) return `${upstream}: does not list its payments ("lists" in docs/upstream.md).`
  const { known, updated, adopted, duplicate, orphan, unmarked } = payments
  const failed = payments.failed + refunds.failed + disputes.failed
  return [
    `${upstream}: payments: ${known} known, ${updated} updated, ${adopted} adopted, ${duplicate} duplicates in review, ${orphan + unmarked} orphans`,
    `refunds: ${refunds.listed} listed, ${refunds.missing} were missing`,
    `disputes: ${disputes.listed} listed`,
    `${failed} failed.`,
  ].join('; ')
}

async function toLatestCommand({ db }: Deps): Promise<string[]> {
  const since = await findStoppedSince(db)
  return since === null ? [] : [`  ${toReconcileCommand(since)}`]
}

export async function reconcileFrom(
  deps: Deps,
  text: string,
  options: { isDry: boolean; acceptUnlisted: boolean; acceptFailed: boolean },
): Promise<Printed> {
  const since = parseTime('--since', text, deps.clock.nowMs())
  try {
    const onProgress = (line: string) => console.error(line)
    const { upstreams, notConfigured, gate } = await reconcileSince(deps, { ...options, since, onProgress })
    const lines = [
      ...upstreams.map(toLine),
      ...notConfigured.map(
        ({ backend, account }) =>
          `${backend} ${toCell(account, 120)}: has opened payments, but is not configured here, so its lists were not read.`,
      ),
      GATE_TEXTS[gate],
      ...(gate === 'since_too_late' ? await toLatestCommand(deps) : []),
      ...(options.isDry ? ['Dry run: nothing was recorded.'] : []),
    ]
    return { text: lines.join('\n'), exitCode: FAILED_RESULTS.has(gate) ? 1 : 0 }
  } catch (error) {
    if (error instanceof UncheckableError) throw new RefusedError(error.message)
    const fault = toUpstreamFault(error)
    if (fault === null || !(error instanceof Error)) throw error
    throw new RefusedError(
      `Not finished: ${error.message} (${fault}). Payments that were stopped stay stopped. Run it again.`,
    )
  }
}
