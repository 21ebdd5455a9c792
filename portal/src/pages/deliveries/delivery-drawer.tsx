import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AttemptView } from '@pazar/contract'
import { useDelivery } from '../../api/deliveries.ts'
import type { DeliveryDetail } from '../../api/deliveries.ts'
import { usePermissions } from '../../api/members.ts'
import { words } from '../../ui/language.ts'
import { formatAmount } from '../../parts/format-amount.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CodeSample } from '../../parts/code-sample.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Time } from '../../parts/time.tsx'
import { CallbackBadge } from '../../parts/transactions/state-badges.tsx'
import { isForwarded, NextAttempt } from '../../parts/deliveries/attempt-text.tsx'
import { ResendButton } from '../../parts/deliveries/resend-button.tsx'
import { Attempts } from './attempts.tsx'

export function DeliveryDrawer({ projectId, callbackId }: { projectId: string; callbackId: string }) {
  const { deliveries } = words()
  const navigate = useNavigate({ from: '/projects/$id/deliveries' })
  const { data, error, isPending } = useDelivery(projectId, callbackId)
  const close = () => void navigate({ search: ({ row: _row, ...rest }) => rest, resetScroll: false })
  return (
    <Dialog drawer title={data ? toTitle(data) : deliveries.drawer.title} onClose={close}>
      {isPending && <Skeleton rows={5} />}
      {error && <Failed error={error} />}
      {data && <Detail detail={data} />}
    </Dialog>
  )
}

function toTitle({ callback }: DeliveryDetail): string {
  const { deliveries, payments } = words()
  return payments.timeline.callback(deliveries.events[callback.event])
}

function isAboutUrl({ outcome, statusCode }: AttemptView): boolean {
  return ['dns', 'redirect', 'blocked_address'].includes(outcome) || statusCode === 404 || statusCode === 410
}

function Detail({ detail: { callback, body, attempts } }: { detail: DeliveryDetail }) {
  const { deliveries, payments, frame } = words()
  const { drawer } = deliveries
  const bodyText = JSON.stringify(body, null, 2)
  const last = attempts.at(-1)
  const isLastForwarded = isForwarded(last)
  // A cancelled callback is not sent, because the order has another result. So the merchant has nothing to fix.
  const isSuperseded = callback.status === 'cancelled'
  const hasNotice = Boolean(last?.cause) && last?.outcome !== 'delivered' && !isSuperseded
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <p className="text-lg font-strong tabular-nums">{formatAmount(callback.amount, callback)}</p>
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
      {last && hasNotice && <LastCause callback={callback} last={last} />}
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
            ? [[drawer.refund, <Copyable name={drawer.refund} value={callback.refundId} />] as const]
            : []),
          ...(callback.disputeId
            ? [[drawer.dispute, <Copyable name={drawer.dispute} value={callback.disputeId} />] as const]
            : []),
          ['webhook-id', <Copyable name="webhook-id" value={callback.id} />],
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

function LastCause({ callback, last }: { callback: DeliveryDetail['callback']; last: AttemptView }) {
  const may = usePermissions(callback.projectId)
  return (
    <Notice tone={callback.nextAt ? 'warn' : 'error'} live={false}>
      <p className="font-strong">{last.cause}</p>
      <p>{last.fix}</p>
      {isAboutUrl(last) && may(callback.mode === 'live' ? 'configure_live' : 'configure') && (
        <Link
          to="/projects/$id/settings"
          params={{ id: callback.projectId }}
          search={{ mode: callback.mode }}
          className="mt-1 inline-flex min-h-6 items-center text-accent underline underline-offset-4"
        >
          {words().deliveries.drawer.changeUrl}
        </Link>
      )}
    </Notice>
  )
}

/** The code sample is loaded when the section is opened. */
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
