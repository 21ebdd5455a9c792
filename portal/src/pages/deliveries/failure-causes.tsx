// Failures of one cause are one problem: said once, with what to do about it, the rows behind it, and the way to send all
// of them again.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatNumber, toDay } from '@pazar/words'
import { GivenUp } from '../../api/api-error.ts'
import { resendFailed } from '../../api/deliveries.ts'
import { useFailures } from '../../api/figures.ts'
import type { Cause } from '../../api/figures.ts'
import { useAccount } from '../../api/session.ts'
import { locale, words } from '../../app/language.ts'
import { useMode } from '../../app/mode.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'

/** As far back as the service looks. */
const DAYS_BACK = 7

export interface FailureCausesProps {
  projectId: string
  /** When the oldest failure in sight was made, where the page shows only failures. */
  oldestShown?: string | undefined
}

export function FailureCauses({ projectId, oldestShown }: FailureCausesProps) {
  const { failures } = words()
  const mode = useMode()
  const { data } = useFailures(projectId, mode)
  // Where nothing failed, and where it is not known yet, there is nothing to say; the page itself says when it cannot be.
  if (!data || data.count === 0)
    return oldestShown ? <ResendAll projectId={projectId} since={oldestShown} /> : null
  const { count, isExact, since, causes } = data
  const resendSince = oldestShown && oldestShown < since ? oldestShown : since
  return (
    <Notice
      tone="error"
      live={false}
      title={isExact ? failures.title(count) : failures.titleOver(count)}
      action={<ResendAll projectId={projectId} since={resendSince} />}
    >
      <p>{failures.since(DAYS_BACK)}</p>
      <ul className="mt-2 grid gap-3">
        {causes.map((cause) => (
          <CauseRow key={cause.last.callbackId} projectId={projectId} cause={cause} since={since} />
        ))}
      </ul>
    </Notice>
  )
}

function CauseRow({ projectId, cause, since }: { projectId: string; cause: Cause; since: string }) {
  const { failures } = words()
  const mode = useMode()
  const { timeZone } = useAccount()
  return (
    <li className="grid gap-0.5">
      <p>
        <span className="font-strong tabular-nums">{formatNumber(locale, cause.count)} ×</span> {cause.cause}
      </p>
      <p>{cause.fix}</p>
      <p className="flex flex-wrap items-center gap-x-4">
        <Link
          to="/projects/$id/deliveries"
          params={{ id: projectId }}
          search={{ mode, outcome: cause.outcome, from: toDay(Date.parse(since), timeZone) }}
          aria-label={failures.showCause(cause.cause)}
          className="inline-flex min-h-6 items-center font-medium underline underline-offset-4"
        >
          {failures.show}
        </Link>
        <span className="text-muted">
          {failures.last}: <Time at={cause.last.at} />
        </span>
      </p>
    </li>
  )
}

function ResendAll({ projectId, since }: { projectId: string; since: string }) {
  const { deliveries } = words()
  const mode = useMode()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function sendAll(): Promise<void> {
    setBusy(true)
    setError(null)
    try {
      toast(deliveries.resentMany(await resendFailed(projectId, mode, since)))
    } catch (refusal) {
      if (!(refusal instanceof GivenUp)) setError(refusal)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="grid justify-items-start gap-2">
      {error !== null && <Failed error={error} />}
      <Button small busy={busy} onClick={() => void sendAll()}>
        {deliveries.resendFailed}
      </Button>
    </div>
  )
}
