// The steps up to the first real payment, ticked when they are done.
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Circle, CircleCheck } from 'lucide-react'
import type { ProjectView } from '@pazar/contract'
import { usePermissions } from '../../api/members.ts'
import { hasInbox, hasServicePages } from '../../api/service-pages.ts'
import { useFirstSteps } from '../../api/stats.ts'
import { words } from '../../ui/language.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { createStoredText } from '../../ui/stored-text.ts'

const finishedProjects = createStoredText('localStorage', 'pazar-steps-done')

/**
 * How many ids of finished projects this browser stores. If the id of a finished project is not stored, the list appears
 * while the steps are loaded.
 */
const STORED_MAX = 20

/**
 * The stored ids of projects in which all steps are done. For these projects, the list does not appear while the steps
 * are loaded.
 */
function readFinished(): string[] {
  return (finishedProjects.read() ?? '').split(' ')
}

function storeFinished(projectId: string): void {
  const finished = readFinished()
  if (finished.includes(projectId)) return
  finishedProjects.write([projectId, ...finished].slice(0, STORED_MAX).join(' '))
}

/** Whether to show the list. False if the steps cannot be loaded, because the list would show finished steps as open. */
export function useHasSteps(projectId: string): boolean {
  const { data, isError } = useFirstSteps(projectId)
  const isFinished = data !== undefined && Object.values(data).every(Boolean)
  useEffect(() => {
    if (isFinished) storeFinished(projectId)
  }, [isFinished, projectId])
  return data ? !isFinished : !isError && !readFinished().includes(projectId)
}

interface ChecklistProps {
  project: ProjectView
  isFolded?: boolean
}

export function Checklist({ project, isFolded = false }: ChecklistProps) {
  const { overview } = words().projects
  const steps = useSteps(project)
  const doneText = overview.stepsDone(steps.filter((step) => step.done).length, steps.length)
  const list = <StepList projectId={project.id} steps={steps} />
  if (isFolded)
    return (
      <details className="rounded-card border border-line bg-raised px-4 py-1 sm:px-6">
        <summary className="min-h-11 content-center">
          <span className="font-strong">{overview.firstSteps}</span>
          <span className="ml-3 text-sm text-muted">{doneText}</span>
        </summary>
        <div className="pb-3">{list}</div>
      </details>
    )
  return (
    <Card title={overview.firstSteps} actions={<span className="text-sm text-muted">{doneText}</span>}>
      {list}
    </Card>
  )
}

/** `code` is the section of the quickstart page for the step. */
function useSteps(project: ProjectView) {
  const { steps, stepActions } = words().projects.overview
  const { data } = useFirstSteps(project.id)
  const may = usePermissions(project.id)
  return [
    { text: steps.project, hint: null, done: true, to: null, action: '', mode: 'test', code: null },
    {
      text: steps.payment,
      hint: null,
      action: stepActions.payment,
      done: data?.payment ?? false,
      to: '/projects/$id/link',
      mode: 'test',
      code: 'payment',
    },
    {
      text: steps.callback,
      hint: null,
      action: stepActions.callback,
      done: data?.callback ?? false,
      to: hasInbox(project) ? '/projects/$id/inbox' : '/projects/$id/deliveries',
      mode: 'test',
      code: 'callback',
    },
    {
      text: steps.signature,
      hint: steps.signatureHint,
      action: stepActions.signature,
      done: data?.signature ?? false,
      to: '/projects/$id/exam',
      mode: 'test',
      code: 'signature',
    },
    {
      text: steps.urls,
      hint: null,
      action: stepActions.urls,
      done: !hasServicePages(project),
      to: may('configure_live') ? '/projects/$id/settings' : null,
      mode: 'test',
      code: null,
    },
    {
      text: steps.live,
      hint: null,
      action: stepActions.live,
      done: data?.live ?? false,
      to: may('live_secret') ? '/projects/$id/keys' : null,
      mode: 'live',
      code: 'live',
    },
  ] as const
}

interface StepListProps {
  projectId: string
  steps: ReturnType<typeof useSteps>
}

function StepList({ projectId, steps }: StepListProps) {
  const { overview } = words().projects
  const next = steps.find((step) => !step.done)
  return (
    <ol className="grid gap-1">
      {steps.map((step) => {
        const Icon = step.done ? CircleCheck : Circle
        return (
          <li key={step.text} className="flex min-h-11 items-start gap-3">
            <Icon
              aria-hidden
              className={classNames('mt-3 size-5 shrink-0', step.done ? 'text-ok' : 'text-muted')}
            />
            <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4">
              <span className={classNames('flex-1 basis-48 py-2.5', step.done && 'text-muted')}>
                {step.text} <span className="sr-only">({step.done ? overview.done : overview.notYet})</span>
                {step.hint && !step.done && <span className="block text-sm text-muted">{step.hint}</span>}
              </span>
              {!step.done && (
                <span className="flex items-center gap-4">
                  {step.code && (
                    <Link
                      to="/projects/$id/quickstart"
                      params={{ id: projectId }}
                      search={{ mode: step.mode }}
                      hash={step.code}
                      className="inline-flex min-h-11 items-center text-sm text-accent underline underline-offset-4"
                    >
                      {overview.seeCode}
                      <span className="sr-only">: {step.text}</span>
                    </Link>
                  )}
                  {step.to && (
                    <Link
                      to={step.to}
                      params={{ id: projectId }}
                      search={{ mode: step.mode }}
                      className={buttonClass(step === next ? 'main' : 'second', true)}
                    >
                      {step.action}
                      <span className="sr-only">: {step.text}</span>
                    </Link>
                  )}
                </span>
              )}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
