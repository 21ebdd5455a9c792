import type { CallbackStatus, TransactionState } from '@pazar/contract'
import { words } from '../../app/language.ts'
import { Badge } from '../../ui/badge.tsx'
import type { BadgeTone } from '../../ui/badge.tsx'

const STATE_TONES: Record<TransactionState, BadgeTone> = {
  processing: 'info',
  requires_action: 'info',
  succeeded: 'ok',
  failed: 'error',
  expired: 'warn',
}

export function StateBadge({ state }: { state: TransactionState }) {
  return <Badge tone={STATE_TONES[state]} text={words().payments.states[state]} />
}

const CALLBACK_TONES: Record<CallbackStatus, BadgeTone> = {
  pending: 'info',
  sending: 'info',
  delivered: 'ok',
  exhausted: 'error',
  cancelled: 'warn',
}

export function CallbackBadge({ status }: { status: CallbackStatus }) {
  return <Badge tone={CALLBACK_TONES[status]} text={words().payments.callbackStates[status]} />
}
