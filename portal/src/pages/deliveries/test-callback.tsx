// One click sends a real, signed test callback and shows what the merchant's server said.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Send } from 'lucide-react'
import { GivenUp } from '../../api/api-error.ts'
import { sendTestCallback } from '../../api/deliveries.ts'
import type { TestAnswer } from '../../api/deliveries.ts'
import { words } from '../../app/language.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Tone } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'
import { isHandedOver, toAnswerText, toDurationText } from './delivery-parts.tsx'

function toTone({ attempt }: TestAnswer): Tone {
  if (isHandedOver(attempt)) return 'info'
  return attempt.outcome === 'delivered' ? 'ok' : 'error'
}

/** What is given stands beside the button. */
export function TestCallback({ projectId, children }: { projectId: string; children?: ReactNode }) {
  const { deliveries, payments, link, projects } = words()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [answer, setAnswer] = useState<TestAnswer | null>(null)

  async function send(): Promise<void> {
    setBusy(true)
    setError(null)
    setAnswer(null)
    try {
      setAnswer(await sendTestCallback(projectId, link.sampleData))
    } catch (refusal) {
      if (!(refusal instanceof GivenUp)) setError(refusal)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <Button
          kind="main"
          busy={busy}
          icon={<Send aria-hidden className="size-4" />}
          onClick={() => void send()}
        >
          {busy ? deliveries.testing : deliveries.test}
        </Button>
        {children}
      </div>
      {error !== null && <Failed error={error} />}
      {answer && (
        <Notice
          tone={toTone(answer)}
          title={isHandedOver(answer.attempt) ? payments.callbackStates.handedOver : deliveries.testDone}
          action={
            <Link
              to="/projects/$id/deliveries"
              params={{ id: projectId }}
              search={{ mode: 'test', row: answer.callback.id }}
              className={buttonClass('second', true)}
            >
              {projects.overview.open}
            </Link>
          }
        >
          <p>
            {answer.attempt.statusCode === null
              ? answer.attempt.cause
              : deliveries.answered(toAnswerText(answer.attempt), toDurationText(answer.attempt))}
          </p>
          {answer.attempt.fix && <p>{answer.attempt.fix}</p>}
        </Notice>
      )}
    </div>
  )
}
