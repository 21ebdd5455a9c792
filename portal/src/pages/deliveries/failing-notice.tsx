// Failures of one cause are one problem: said once, with the way to send all of them again.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { GivenUp } from '../../api/api-error.ts'
import { resendFailed } from '../../api/deliveries.ts'
import type { Delivery } from '../../api/deliveries.ts'
import { words } from '../../app/language.ts'
import { useMode } from '../../app/mode.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'
import { toast } from '../../ui/toasts.tsx'
import { toAnswerText } from './delivery-parts.tsx'

export function FailingNotice({ projectId, items }: { projectId: string; items: readonly Delivery[] }) {
  const { deliveries } = words()
  const mode = useMode()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  // What the test button sent is not sent again together with the rest.
  const failed = items.filter(
    (item) =>
      item.status === 'exhausted' &&
      item.lastAttempt?.trigger !== 'test' &&
      item.lastAttempt?.trigger !== 'exam',
  )
  const oldest = failed.at(-1)
  if (!oldest) return null
  const causes = new Set(failed.map((item) => toAnswerText(item.lastAttempt)))
  const [only] = causes

  async function sendAll(since: string): Promise<void> {
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
    <>
      {error !== null && <Failed error={error} />}
      <Notice
        tone="error"
        live={false}
        title={deliveries.failing(failed.length)}
        action={
          <div className="flex flex-wrap gap-2">
            <Button small busy={busy} onClick={() => void sendAll(oldest.createdAt)}>
              {deliveries.resendFailed}
            </Button>
            <Link
              to="/projects/$id/deliveries"
              params={{ id: projectId }}
              search={{ mode, status: 'exhausted' }}
              className={buttonClass('quiet', true)}
            >
              {deliveries.showFailed}
            </Link>
          </div>
        }
      >
        {causes.size === 1 && only !== undefined && deliveries.failingCause(only)}
      </Notice>
    </>
  )
}
