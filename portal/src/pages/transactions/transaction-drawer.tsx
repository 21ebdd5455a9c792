import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { TransactionDetails, TransactionView } from '@pazar/contract'
import { usePermissions } from '../../api/members.ts'
import { useTransactionDetails } from '../../api/refunds.ts'
import { words } from '../../ui/language.ts'
import { toModeName, useMode } from '../../parts/mode.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { formatAmount } from '../../parts/format-amount.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Empty, Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Time } from '../../parts/time.tsx'
import { MoneyBackBadges, PaymentCallbackBadge, StateBadge } from '../../parts/transactions/state-badges.tsx'
import { toMoneyBackFacts } from '../../parts/transactions/money-back-facts.ts'
import { DisputeNotice } from './dispute-notice.tsx'
import { ReviewNotices } from './review-notices.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { Timeline } from './timeline.tsx'

export interface TransactionDrawerProps {
  projectId: string
  id: string
  listRow: TransactionView | undefined
}

export function TransactionDrawer({ projectId, id, listRow }: TransactionDrawerProps) {
  const { payments, frame } = words()
  const mode = useMode()
  const navigate = useNavigate({ from: '/projects/$id/transactions' })
  const { data, error, isPending } = useTransactionDetails({ projectId, mode, id }, listRow)
  const close = () => void navigate({ search: ({ row: _row, ...rest }) => rest, resetScroll: false })
  return (
    <Dialog drawer title={payments.drawer.title} onClose={close}>
      {isPending && <Skeleton />}
      {error && <Failed error={error} />}
      {data === null && <NotFound projectId={projectId} id={id} onBack={close} />}
      {data && <TransactionFacts details={data} />}
      {data !== null && (
        <div className="flex flex-wrap gap-2">
          <CopyButton text={location.href} label={frame.copyLink} />
        </div>
      )}
    </Dialog>
  )
}

/** A payment that is not found usually belongs to the other mode. */
function NotFound({ projectId, id, onBack }: { projectId: string; id: string; onBack: () => void }) {
  const { drawer } = words().payments
  const otherMode = useMode() === 'live' ? 'test' : 'live'
  return (
    <Empty title={drawer.notFoundTitle} text={drawer.notFound}>
      <code className="basis-full font-mono text-sm wrap-anywhere">{id}</code>
      <Link
        to="/projects/$id/transactions"
        params={{ id: projectId }}
        search={{ mode: otherMode, row: id }}
        className={buttonClass('main')}
      >
        {drawer.lookIn[otherMode]}
      </Link>
      <Button onClick={onBack}>{drawer.back}</Button>
    </Empty>
  )
}

/** The service decides whether a payment can be refunded. This function only hides a button that would fail. */
function isRefundable({ successful, needsReview, refundable }: TransactionView): boolean {
  return successful && !needsReview && refundable !== undefined && refundable !== '0'
}

function TransactionFacts({ details }: { details: TransactionDetails }) {
  const { transaction: item, refunds } = details
  const [isRefunding, setIsRefunding] = useState(false)
  const may = usePermissions(item.projectId)
  const { payments, frame } = words()
  const { drawer, columns } = payments
  const { callback } = item
  const canRefund = isRefundable(item) && may('money')
  const moneyBack = toMoneyBackFacts(item)
  const orNone = (value: string | null) => value ?? <span className="text-muted">{drawer.notSet}</span>
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="text-2xl font-strong tabular-nums">{formatAmount(item.amount, item)}</p>
        <span className="flex flex-wrap gap-2">
          <StateBadge payment={item} />
          <MoneyBackBadges payment={item} />
        </span>
      </div>
      <ReviewNotices item={item} />
      {details.disputes.map((dispute) => (
        <DisputeNotice key={dispute.id} dispute={dispute} payment={item} />
      ))}
      <div className="flex flex-wrap gap-2 max-sm:*:grow">
        {canRefund && <Button onClick={() => setIsRefunding(true)}>{drawer.refund}</Button>}
        {item.customId !== null && (
          <Link
            to="/projects/$id/status"
            params={{ id: item.projectId }}
            search={{ mode: item.mode, q: item.customId }}
            className={buttonClass()}
          >
            {drawer.checkStatus}
          </Link>
        )}
      </div>
      {moneyBack.length > 0 && <DescriptionList items={moneyBack} />}
      <Timeline details={details} />
      <DescriptionList
        items={[
          [drawer.reference, <Copyable name={drawer.reference} value={item.reference} />],
          [drawer.id, <Copyable name={drawer.id} value={item.id} />],
          [columns.customId, orNone(item.customId)],
          [columns.data, orNone(item.data)],
          [drawer.mode, toModeName(item.mode)],
          [drawer.created, <Time at={item.createdAt} both />],
          [columns.callback, callback ? <PaymentCallbackBadge payment={item} /> : frame.none],
        ]}
      />
      {isRefunding && <RefundDialog payment={item} refunds={refunds} onClose={() => setIsRefunding(false)} />}
    </>
  )
}
