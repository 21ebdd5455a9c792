// The way from nothing to the first real payment. Each step ticks itself once the service has seen it happen.
import { Link } from '@tanstack/react-router'
import { Circle, CircleCheck } from 'lucide-react'
import { useDeliveries } from '../../api/deliveries.ts'
import { useTransactionTotal } from '../../api/transactions.ts'
import { words } from '../../app/language.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'

export function Checklist({ projectId }: { projectId: string }) {
  const { overview } = words().projects
  const { steps } = overview
  const tested = useTransactionTotal({ projectId, mode: 'test', state: 'succeeded', limit: 1 })
  const paid = useTransactionTotal({ projectId, mode: 'live', state: 'succeeded', limit: 1 })
  const told = useDeliveries(projectId, { mode: 'test', status: 'delivered' }, 1)
  const list = [
    { text: steps.project, done: true, to: null },
    { text: steps.payment, done: (tested.data?.total ?? 0) > 0, to: '/projects/$id/link' },
    {
      text: steps.callback,
      done: (told.data?.pages[0]?.items.length ?? 0) > 0,
      to: '/projects/$id/deliveries',
    },
    { text: steps.live, done: (paid.data?.total ?? 0) > 0, to: '/projects/$id/keys' },
  ] as const
  const done = list.filter((step) => step.done).length
  const next = list.find((step) => !step.done)
  return (
    <Card
      title={overview.firstSteps}
      actions={<span className="text-sm text-muted">{overview.stepsDone(done, list.length)}</span>}
    >
      <ol className="grid gap-1">
        {list.map((step) => {
          const Icon = step.done ? CircleCheck : Circle
          return (
            <li key={step.text} className="flex min-h-11 items-center gap-3">
              <Icon
                aria-hidden
                className={classNames('size-5 shrink-0', step.done ? 'text-ok' : 'text-muted')}
              />
              <span className={classNames('flex-1', step.done && 'text-muted')}>
                {step.text} <span className="sr-only">({step.done ? overview.done : overview.notYet})</span>
              </span>
              {step === next && step.to && (
                <Link
                  to={step.to}
                  params={{ id: projectId }}
                  search={{ mode: step.text === steps.live ? 'live' : 'test' }}
                  className={buttonClass('second', true)}
                >
                  {overview.open}
                </Link>
              )}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}
