// Failed callbacks by cause, with a button that resends all of them.
import { Link } from '@tanstack/react-router'
import { formatNumber, toDay } from '@pazar/words'
import { resendFailed } from '../../api/deliveries.ts'
import { usePermissions } from '../../api/members.ts'
import { useFailures } from '../../api/stats.ts'
import type { Cause } from '../../api/stats.ts'
import { useAccount } from '../../api/session.ts'
import { locale, words } from '../../ui/language.ts'
import { useMode } from '../mode.ts'
import { useAction } from '../use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../failed.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useIsPhone } from '../../ui/use-phone.ts'

const DAYS_BACK = 7

export interface FailureCausesProps {
  projectId: string
  /** The creation time of the oldest failure on the page. Set only if the page lists only failures. */
  oldestShown?: string | undefined
  /** Whether the page lists callbacks that are older than `since` and were given up. */
  hasOlder?: (since: string) => boolean
  /** Whether the callbacks are filtered. If so, the causes are collapsed on a phone, so that the callbacks are in view. */
  isFiltered?: boolean
}

export function FailureCauses({ projectId, oldestShown, hasOlder, isFiltered = false }: FailureCausesProps) {
  const { failures } = words()
  const mode = useMode()
  const { data } = useFailures(projectId, mode)
  const isPhone = useIsPhone()
  // There is no notice while loading, after an error, or if there are no recent failures. If the page lists only failures,
  // the button is still shown.
  if (!data || data.count === 0)
    return oldestShown ? <ResendAll projectId={projectId} since={oldestShown} /> : null
  const { count, isExact, isRetried, since, causes } = data
  const titles = isRetried ? failures.open : failures.givenUp
  const title = `${failures.since(DAYS_BACK)}: ${isExact ? titles.title(count) : titles.titleOver(count)}`
  const resendSince = oldestShown && oldestShown < since ? oldestShown : since
  // Red means that none of these callbacks will be retried.
  const tone = isRetried ? 'warn' : 'error'
  const resendAll = <ResendAll projectId={projectId} since={resendSince} />
  const list = (
    <ul className="mt-1 grid gap-1.5">
      {causes.map((cause) => (
        <CauseRow key={cause.last.callbackId} projectId={projectId} cause={cause} since={since} />
      ))}
    </ul>
  )
  const older = hasOlder?.(since) && <p className="mt-1">{failures.older}</p>
  if (isPhone && isFiltered)
    return (
      <Notice tone={tone} live={false} title={title}>
        {older}
        <details className="-mb-3">
          <summary className="min-h-11 content-center font-medium">{failures.showCauses}</summary>
          {list}
          <div className="my-3">{resendAll}</div>
        </details>
      </Notice>
    )
  return (
    <Notice tone={tone} live={false} title={title} action={resendAll}>
      {list}
      {older}
    </Notice>
  )
}

function CauseRow({ projectId, cause, since }: { projectId: string; cause: Cause; since: string }) {
  const { failures } = words()
  const mode = useMode()
  const { timeZone } = useAccount()
  return (
    <li>
      <span className="font-strong tabular-nums">{formatNumber(locale, cause.count)} ×</span> {cause.cause}{' '}
      <Link
        to="/projects/$id/deliveries"
        params={{ id: projectId }}
        search={{ mode, outcome: cause.outcome, from: toDay(Date.parse(since), timeZone) }}
        aria-label={failures.showCause(cause.cause)}
        className="inline-flex min-h-6 items-center font-medium whitespace-nowrap underline underline-offset-4"
      >
        {failures.show}
      </Link>
    </li>
  )
}

function ResendAll({ projectId, since }: { projectId: string; since: string }) {
  const { deliveries } = words()
  const mode = useMode()
  const { run, busy, error } = useAction(async () => {
    toast(deliveries.resentMany(await resendFailed(projectId, mode, since)))
  })
  const may = usePermissions(projectId)
  if (!may('operate')) return null
  return (
    <div className="grid justify-items-start gap-2">
      {error !== null && <Failed error={error} />}
      <Button small busy={busy} onClick={() => void run()}>
        {deliveries.resendFailed}
      </Button>
    </div>
  )
}
