import { Link } from '@tanstack/react-router'
import type { Check } from 'lucide-react'
import type { TransactionView } from '@pazar/contract'
import { formatExactDateTime } from '@pazar/words'
import { useAccount } from '../../api/session.ts'
import { classNames } from '../../ui/class-names.ts'
import { locale, words } from '../../ui/language.ts'

const TONES = {
  ok: 'bg-ok-bg text-ok',
  error: 'bg-error-bg text-error',
  warn: 'bg-warn-bg text-warn',
  info: 'bg-info-bg text-info',
  plain: 'bg-surface text-muted',
}

export interface Entry {
  Icon: typeof Check
  tone: keyof typeof TONES
  title: string
  detail?: string | null | undefined
  callbackId?: string
  /** The entry links to the payments of this order. */
  orderId?: string | null
}

interface RowProps {
  at: string | null
  payment: TransactionView
  children: Entry
}

export function Row({ at, payment, children: { Icon, tone, title, detail, callbackId, orderId } }: RowProps) {
  const { timeZone } = useAccount()
  return (
    <li className="relative grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 pb-5 before:absolute before:top-8 before:bottom-0 before:left-3.5 before:w-px before:bg-line last:pb-0 last:before:hidden">
      <span className={classNames('grid size-7 place-items-center rounded-full', TONES[tone])}>
        <Icon aria-hidden className="size-4" />
      </span>
      <div className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-4 pt-0.5">
        <p className="min-w-0 font-medium wrap-anywhere">
          {callbackId === undefined ? (
            title
          ) : (
            <Link
              to="/projects/$id/deliveries"
              params={{ id: payment.projectId }}
              search={{ mode: payment.mode, row: callbackId }}
              className="text-accent underline underline-offset-4"
            >
              {title}
            </Link>
          )}
        </p>
        {at !== null && (
          <time dateTime={at} className="text-xs text-muted tabular-nums max-sm:w-full">
            {formatExactDateTime(locale, new Date(at), timeZone)}
          </time>
        )}
        {detail && <p className="w-full text-sm text-muted wrap-anywhere">{detail}</p>}
        {orderId && (
          <Link
            to="/projects/$id/transactions"
            params={{ id: payment.projectId }}
            search={{ mode: payment.mode, q: orderId }}
            className="inline-flex min-h-6 items-center text-sm text-accent underline underline-offset-4"
          >
            {words().payments.timeline.orderPayments}
          </Link>
        )}
      </div>
    </li>
  )
}
