import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AttemptView } from '@pazar/contract'
import { useDelivery } from '../../api/deliveries.ts'
import type { DeliveryDetail } from '../../api/deliveries.ts'
import { words } from '../../ui/language.ts'
import { formatAmount } from '../../parts/format-amount.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CodeSample } from '../../parts/code-sample.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { ExactTime, Time } from '../../parts/time.tsx'
import { CallbackBadge } from '../../parts/transactions/state-badges.tsx'
import {
  isForwarded,
  isInInbox,
  NextAttempt,
  toResponseText,
  toDurationText,
  toTriggerText,
} from '../../parts/deliveries/attempt-text.tsx'
import { ResendButton } from '../../parts/deliveries/resend-button.tsx'

export function DeliveryDrawer({ projectId, callbackId }: { projectId: string; callbackId: string }) {
  const { deliveries } = words()
  const navigate = useNavigate({ from: '/projects/$id/deliveries' })
  const { data, error, isPending } = useDelivery(projectId, callbackId)
  const close = () => void navigate({ search: ({ row: _row, ...rest }) => rest, resetScroll: false })
  return (
    <Dialog drawer title={deliveries.drawer.title} onClose={close}>
      {isPending && <Skeleton rows={5} />}
      {error && <Failed error={error} />}
      {data && <Detail detail={data} />}
    </Dialog>
  )
}

function Detail({ detail: { callback, body, attempts } }: { detail: DeliveryDetail }) {
  const { deliveries, payments, frame } = words()
  const { drawer } = deliveries
  const bodyText = JSON.stringify(body, null, 2)
  const last = attempts.at(-1)
  const isLastForwarded = isForwarded(last)
  // Another result counts for the order, so this callback is never sent again and there is nothing to fix.
  const isSuperseded = callback.status === 'cancelled'
  const hasNotice = Boolean(last?.cause) && last?.outcome !== 'delivered' && !isSuperseded
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <CallbackBadge callback={callback} isForwarded={isLastForwarded} />
        <span className="text-sm text-muted">
          {callback.nextAt && <NextAttempt callback={callback} />}
          {isSuperseded && deliveries.superseded}
          {callback.status === 'exhausted' && deliveries.noRetry}
        </span>
      </div>
      <div className="flex flex-wrap gap-2 max-sm:*:grow">
        {!isSuperseded && <ResendButton callback={callback} lastAttempt={last} small={false} />}
        {callback.transactionId && (
          <Link
            to="/projects/$id/transactions"
            params={{ id: callback.projectId }}
            search={{ mode: callback.mode, row: callback.transactionId }}
            className={buttonClass()}
          >
            {drawer.transaction}
          </Link>
        )}
      </div>
      {last && hasNotice && (
        // People open the drawer to see the cause. All attempts with their responses are further down.
        <Notice tone={callback.nextAt ? 'warn' : 'error'} live={false}>
          <p className="font-strong">{last.cause}</p>
          <p>{last.fix}</p>
        </Notice>
      )}
      <DescriptionList
        items={[
          [
            deliveries.columns.event,
            <>
              {deliveries.events[callback.event]}{' '}
              <code className="font-mono text-muted">{callback.event}</code>
            </>,
          ],
          ...(callback.refundId
            ? [[drawer.refund, <code className="font-mono">{callback.refundId}</code>] as const]
            : []),
          ...(callback.disputeId
            ? [[drawer.dispute, <code className="font-mono">{callback.disputeId}</code>] as const]
            : []),
          ['webhook-id', <code className="font-mono">{callback.id}</code>],
          [payments.columns.amount, formatAmount(callback.amount, callback)],
          [payments.columns.customId, callback.customId ?? payments.drawer.notSet],
          [payments.columns.data, callback.data ?? payments.drawer.notSet],
          [deliveries.columns.time, <Time at={callback.createdAt} both />],
        ]}
      />
      <Attempts attempts={attempts} noticeCause={hasNotice ? last?.cause : null} />
      <section className="grid gap-2">
        <div className="flex items-center justify-between gap-2">
          <h3 className="font-strong">{drawer.request}</h3>
          <CopyButton text={bodyText} what={drawer.body} />
        </div>
        <CodeBlock label={drawer.body} text={bodyText} language="json" />
        <p className="text-sm text-muted">{drawer.masked}</p>
        <VerifySection />
      </section>
      <div>
        <CopyButton text={location.href} label={frame.copyLink} />
      </div>
    </>
  )
}

function isSameResponse(attempt: AttemptView, other: AttemptView | undefined): boolean {
  return attempt.statusCode === other?.statusCode && attempt.responseExcerpt === other?.responseExcerpt
}

/** The attempts, newest first. `noticeCause`: the cause that the notice at the top names, if there is one. */
function Attempts({
  attempts,
  noticeCause,
}: {
  attempts: AttemptView[]
  noticeCause: string | null | undefined
}) {
  const newest = attempts.at(-1)
  return (
    <section className="grid gap-3">
      <h3 className="font-strong">{words().deliveries.drawer.attempts}</h3>
      <ol className="grid divide-y divide-line rounded-control border border-line text-sm">
        {attempts.toReversed().map((attempt) => (
          <Attempt
            key={attempt.attempt}
            attempt={attempt}
            isInNotice={attempt.cause !== null && attempt.cause === noticeCause}
            isRepeated={attempt !== newest && isSameResponse(attempt, newest)}
            hasSameUrl={attempt !== newest && attempt.url === newest?.url}
          />
        ))}
      </ol>
    </section>
  )
}

/** How the merchant's server verifies the callback. The code is loaded when the section is opened. */
function VerifySection() {
  const { drawer } = words().deliveries
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-h-11 content-center font-medium">{drawer.verify}</summary>
      {isOpen && (
        <div className="grid gap-3">
          <p className="text-sm text-muted">{drawer.verifyText}</p>
          <CodeSample name="verify" label={drawer.verify} />
        </div>
      )}
    </details>
  )
}

interface AttemptProps {
  attempt: AttemptView
  /**
   * The notice at the top has the same cause, so it is not repeated here. If there was no response, the badge would repeat
   * it too, and is left out.
   */
  isInNotice: boolean
  /** The newest attempt, which is shown first, has the same response. */
  isRepeated: boolean
  /** The newest attempt names the URL. */
  hasSameUrl: boolean
}

function Attempt({ attempt, isInNotice, isRepeated, hasSameUrl }: AttemptProps) {
  const { drawer } = words().deliveries
  if (isForwarded(attempt)) return <ForwardedAttempt attempt={attempt} />
  const isDelivered = attempt.outcome === 'delivered'
  return (
    <li className="grid gap-1 p-3">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">
          {drawer.attempt(attempt.attempt)} · {toTriggerText(attempt.trigger)}
        </span>
        {(attempt.statusCode !== null || !isInNotice) && (
          <Badge tone={isDelivered ? 'ok' : 'error'} text={toResponseText(attempt)} />
        )}
      </p>
      <p className="text-muted wrap-anywhere">
        <ExactTime at={attempt.startedAt} /> · {toDurationText(attempt)}
        {!hasSameUrl && ` · ${attempt.url}`}
      </p>
      {isInInbox(attempt) && <p>{attempt.cause}</p>}
      {attempt.cause && attempt.statusCode !== null && !isDelivered && !isInNotice && (
        <p>
          <span className="text-muted">{drawer.cause}:</span> {attempt.cause}
        </p>
      )}
      {attempt.fix && !isDelivered && !isInNotice && (
        <p>
          <span className="text-muted">{drawer.fix}:</span> {attempt.fix}
        </p>
      )}
      {attempt.statusCode !== null && !isRepeated && <Response text={attempt.responseExcerpt} />}
    </li>
  )
}

function Response({ text }: { text: string | null }) {
  const { drawer } = words().deliveries
  if (!text) return <p className="text-muted">{drawer.empty}</p>
  return <CodeBlock label={drawer.response} text={text} />
}

/**
 * An attempt that was forwarded to the merchant's CLI. The service has not seen the response. So the text says what the CLI
 * reported, or where to find the response.
 */
function ForwardedAttempt({ attempt }: { attempt: AttemptView }) {
  const { deliveries, payments } = words()
  return (
    <li className="grid gap-2 p-3">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">
          {deliveries.drawer.attempt(attempt.attempt)} · {toTriggerText(attempt.trigger)}
        </span>
        <Badge tone="neutral" text={payments.callbackStates.forwarded} />
      </p>
      <p className="text-muted">
        <ExactTime at={attempt.startedAt} />
        {attempt.reported && ` · ${toResponseText(attempt)} · ${toDurationText(attempt)}`}
      </p>
      <p>{attempt.cause}</p>
      <p>{attempt.fix}</p>
    </li>
  )
}
