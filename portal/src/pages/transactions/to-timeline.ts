import type {
  AttemptView,
  CallbackView,
  DisputeView,
  RefundView,
  TransactionDetails,
  TransactionTimeline,
} from '@pazar/contract'

export type TimelineEvent = { at: string } & (
  | { kind: 'created' | 'atBank' | 'ended' | 'decided' }
  /** An operator's decision that ended the payment without a result from the bank, and that was changed later. */
  | { kind: 'firstDecision' }
  /** A callback without attempts. */
  | { kind: 'callback'; callback: CallbackView }
  /** Several failed attempts, oldest first. The event has the time of the last one. */
  | { kind: 'failedAttempts'; callback: CallbackView; attempts: AttemptView[] }
  | { kind: 'attempt'; callback: CallbackView; attempt: AttemptView }
  | { kind: 'nextAttempt'; callback: CallbackView }
  | { kind: 'refund'; refund: RefundView }
  | { kind: 'disputeOpened' | 'disputeClosed'; dispute: DisputeView }
)

function toCallbackEvents({ callback, attempts }: TransactionTimeline['callbacks'][number]): TimelineEvent[] {
  const { nextAt } = callback
  const failed = attempts.filter(({ outcome }) => outcome !== 'delivered')
  const lastFailed = failed.at(-1)
  const isGrouped = failed.length > 1 && lastFailed !== undefined
  const single = isGrouped ? attempts.filter((attempt) => !failed.includes(attempt)) : attempts
  return [
    ...(attempts.length === 0 ? [{ kind: 'callback' as const, at: callback.createdAt, callback }] : []),
    ...(isGrouped
      ? [{ kind: 'failedAttempts' as const, at: lastFailed.startedAt, callback, attempts: failed }]
      : []),
    ...single.map((attempt) => ({ kind: 'attempt' as const, at: attempt.startedAt, callback, attempt })),
    ...(nextAt !== null && attempts.length > 0
      ? [{ kind: 'nextAttempt' as const, at: nextAt, callback }]
      : []),
  ]
}

function toDisputeEvents(dispute: DisputeView): TimelineEvent[] {
  return [
    { kind: 'disputeOpened', at: dispute.openedAt, dispute },
    ...(dispute.closedAt === null ? [] : [{ kind: 'disputeClosed' as const, at: dispute.closedAt, dispute }]),
  ]
}

/** Null: an operator's decision ended the payment and was not changed later, so the event `decided` shows the end. */
function toEndKind({
  completedAt,
  resolvedAt,
  failureCode,
}: TransactionDetails['transaction']): 'ended' | 'firstDecision' | null {
  if (!failureCode?.startsWith('resolved_')) return 'ended'
  return completedAt === resolvedAt ? null : 'firstDecision'
}

/** Returns the oldest event first. Events of the same instant stay in the order of cause and effect. */
export function toTimeline(
  { transaction, refunds, disputes }: TransactionDetails,
  timeline: TransactionTimeline | null,
): TimelineEvent[] {
  const { createdAt, completedAt, resolvedAt } = transaction
  const states = [
    ['created', createdAt],
    ['atBank', timeline?.atBankAt ?? null],
    [toEndKind(transaction), completedAt],
    ['decided', resolvedAt],
  ] as const
  return [
    ...states.flatMap(([kind, at]) => (kind === null || at === null ? [] : [{ kind, at }])),
    ...refunds.map((refund) => ({
      kind: 'refund' as const,
      at: refund.returnedAt ?? refund.completedAt ?? refund.createdAt,
      refund,
    })),
    ...disputes.flatMap(toDisputeEvents),
    ...(timeline?.callbacks ?? []).flatMap(toCallbackEvents),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
}
