// The numbers that merchants check first.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatDuration, formatNumber, formatPercent } from '@pazar/words'
import type { Stats } from '../../api/stats.ts'
import { locale, words } from '../../ui/language.ts'
import { useMode } from '../../parts/mode.ts'
import { formatAmount } from '../../parts/format-amount.ts'
import { negate } from '../../parts/negate.ts'
import { classNames } from '../../ui/class-names.ts'
import { useIsPhone } from '../../ui/use-phone.ts'
import { FailedParts } from './failed-parts.tsx'
import { LIST_LINK } from './list-link.ts'
import type { Days } from './range.ts'

interface KeyStatProps {
  name: string
  value: string
  more: ReactNode
  wide?: boolean
}

/** A longer amount does not fit into half the width of a phone. */
const HALF_WIDTH_AMOUNT_CHARS = 11

function isLong(...amounts: string[]): boolean {
  return amounts.some((amount) => amount.length > HALF_WIDTH_AMOUNT_CHARS)
}

function KeyStat({ name, value, more, wide = false }: KeyStatProps) {
  return (
    <div
      className={classNames(
        // All cards use the same rows of the list, so that the values stay aligned when a name takes two lines.
        'row-span-3 grid grid-rows-subgrid gap-1 rounded-card border border-line bg-raised p-4',
        wide && 'max-sm:col-span-2',
      )}
    >
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="card-number font-strong tabular-nums">{value}</dd>
      <dd className="text-sm text-muted">{more}</dd>
    </div>
  )
}

const TWO_COLUMNS = 'grid grid-cols-2 gap-3'

export interface KeyStatsProps {
  projectId: string
  stats: Stats
  days: Days
  /** True: callbacks go to the project's inbox. No server responds to them, so there are no response times. */
  isInInbox: boolean
}

/** On a phone, the response time is not shown here, because it has its own chart. */
export function KeyStats(props: KeyStatsProps) {
  const isPhone = useIsPhone()
  const money = toMoneyStats(props)
  const payments = toPaymentStats(props)
  if (isPhone)
    return (
      <dl className={TWO_COLUMNS}>
        {money.volume}
        {money.net}
        {money.refunded}
        {money.disputed}
        {payments.rate}
        {payments.failed}
      </dl>
    )
  return (
    <div className="grid gap-3">
      <dl className={classNames(TWO_COLUMNS, !money.isWide && 'lg:grid-cols-4')}>
        {money.volume}
        {money.refunded}
        {money.disputed}
        {money.net}
      </dl>
      <dl className="grid grid-cols-3 gap-3">
        {payments.rate}
        {payments.responseTime}
        {payments.failed}
      </dl>
    </div>
  )
}

function toMoneyStats({ projectId, stats }: KeyStatsProps) {
  const { metrics } = words()
  const { refunds, disputes } = stats
  const [volume, net] = [formatAmount(stats.volume), formatAmount(stats.net)]
  const [refunded, disputed] = [formatAmount(negate(stats.refunded)), formatAmount(negate(stats.disputed))]
  const isWide = isLong(volume, net, refunded, disputed)
  return {
    isWide,
    volume: (
      <KeyStat name={metrics.volume} wide={isWide} value={volume} more={metrics.paid(stats.succeeded)} />
    ),
    refunded: (
      <KeyStat
        name={metrics.refunded}
        wide={isWide}
        value={refunded}
        more={
          refunds === 0 ? (
            metrics.noRefunds
          ) : (
            <ListLink projectId={projectId} status="refunded" label={metrics.showRefunded}>
              {metrics.refunds(refunds)}
            </ListLink>
          )
        }
      />
    ),
    disputed: (
      <KeyStat
        name={metrics.disputed}
        wide={isWide}
        value={disputed}
        more={
          disputes === 0 ? (
            metrics.noDisputes
          ) : (
            <ListLink projectId={projectId} status="disputed" label={metrics.showDisputed}>
              {metrics.disputes(disputes)}
            </ListLink>
          )
        }
      />
    ),
    net: <KeyStat name={metrics.net} wide={isWide} value={net} more={metrics.netText} />,
  }
}

function toPaymentStats({ projectId, stats, days, isInInbox }: KeyStatsProps) {
  const { metrics } = words()
  const { callbackMs, succeeded, failed, successRate } = stats
  return {
    rate: (
      <KeyStat
        name={metrics.rate}
        value={successRate === null ? '–' : formatPercent(locale, successRate)}
        more={successRate === null ? metrics.noneEnded : metrics.ofEnded(succeeded, succeeded + failed)}
      />
    ),
    responseTime: (
      <KeyStat
        name={metrics.responseTime}
        value={callbackMs.p50 === null ? '–' : formatDuration(locale, callbackMs.p50)}
        more={
          callbackMs.p95 === null
            ? metrics[isInInbox ? 'inInbox' : 'noResponses']
            : metrics.within(formatDuration(locale, callbackMs.p95).replaceAll(' ', '\u00a0'))
        }
      />
    ),
    failed: (
      <KeyStat
        name={metrics.failed}
        value={formatNumber(locale, failed)}
        more={
          failed === 0 ? metrics.noneFailed : <FailedParts projectId={projectId} stats={stats} days={days} />
        }
      />
    ),
  }
}

interface ListLinkProps {
  projectId: string
  status: 'refunded' | 'disputed'
  label: string
  children: string
}

/** The link has no range of days, because a refund or dispute of the chosen days can belong to an older payment. */
function ListLink({ projectId, status, label, children }: ListLinkProps) {
  const mode = useMode()
  return (
    <Link
      to="/projects/$id/transactions"
      params={{ id: projectId }}
      search={{ mode, status }}
      title={label}
      className={LIST_LINK}
    >
      {children}
    </Link>
  )
}
