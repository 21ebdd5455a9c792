import { Link } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Send } from 'lucide-react'
import type { CallbackEventName } from '@pazar/contract'
import { sendTestCallback } from '../../api/deliveries.ts'
import type { TestCallbackResult } from '../../api/deliveries.ts'
import { useProject } from '../../api/projects.ts'
import { words } from '../../ui/language.ts'
import { useAction } from '../use-action.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import type { ButtonKind } from '../../ui/button.tsx'
import { Choice } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Tone } from '../../ui/notice.tsx'
import { Failed } from '../failed.tsx'
import { isForwarded, toResponseText, toDurationText } from './attempt-text.tsx'

function toTone({ attempt }: TestCallbackResult): Tone {
  if (isForwarded(attempt)) return 'info'
  return attempt.outcome === 'delivered' ? 'ok' : 'error'
}

function toEventLabel(event: CallbackEventName): string {
  const { columns, events } = words().deliveries
  return `${columns.event}: ${events[event]}`
}

/** The controls and the outcome are separate, so that a page can show each in its own place. */
export interface TestCallbackParts {
  controls: ReactNode
  outcome: ReactNode
}

/**
 * Call this hook in a component that stays mounted when the page moves the parts to another place. Otherwise the outcome
 * is lost when the component is unmounted.
 */
export function useTestCallback(projectId: string, kind: ButtonKind = 'main'): TestCallbackParts {
  const { deliveries, payments, link, projects } = words()
  const { data: project } = useProject(projectId)
  const events = project?.events ?? []
  const [chosen, setChosen] = useState<CallbackEventName>('payment.result')
  // The settings may have changed since the event was chosen.
  const event = events.includes(chosen) ? chosen : 'payment.result'
  const [result, setResult] = useState<TestCallbackResult | null>(null)
  const { run, busy, error } = useAction(async () => {
    setResult(null)
    setResult(await sendTestCallback(projectId, link.sampleData, event))
  })
  // When the first callback fills the log, the page shows the button in another place. The focus moves there too.
  const wasPressed = useRef(false)
  const keepFocus = useCallback((button: HTMLButtonElement | null) => {
    if (!button || !wasPressed.current || document.activeElement !== document.body) return
    wasPressed.current = false
    button.focus()
  }, [])
  const controls = (
    <>
      {events.length > 1 && (
        <Choice
          className="max-sm:grow"
          label={deliveries.testEvent}
          hideLabel
          value={event}
          options={events.map((value) => ({ value, label: toEventLabel(value) }))}
          onChoice={setChosen}
        />
      )}
      <Button
        ref={keepFocus}
        kind={kind}
        busy={busy}
        icon={<Send aria-hidden className="size-4" />}
        onClick={() => {
          wasPressed.current = true
          void run()
        }}
      >
        {busy ? deliveries.testing : deliveries.test}
      </Button>
    </>
  )
  const outcome = (
    <>
      {error !== null && <Failed error={error} />}
      {result && (
        <Notice
          tone={toTone(result)}
          title={isForwarded(result.attempt) ? payments.callbackStates.forwarded : deliveries.testDone}
          action={
            <Link
              to="/projects/$id/deliveries"
              params={{ id: projectId }}
              search={{ mode: 'test', row: result.callback.id }}
              className={buttonClass('second', true)}
            >
              {projects.overview.open}
            </Link>
          }
        >
          <p>
            {result.attempt.statusCode === null
              ? result.attempt.cause
              : deliveries.responded(toResponseText(result.attempt), toDurationText(result.attempt))}
          </p>
          {result.attempt.fix && <p>{result.attempt.fix}</p>}
        </Notice>
      )}
    </>
  )
  return { controls, outcome }
}

export interface TestCallbackProps {
  parts: TestCallbackParts
  children?: ReactNode
}

export function TestCallback({ parts: { controls, outcome }, children }: TestCallbackProps) {
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2 max-sm:*:grow">
        {controls}
        {children}
      </div>
      {outcome}
    </div>
  )
}
