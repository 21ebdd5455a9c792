// Why a payment or a refund failed, or why a payment is disputed. If a code has no text here, because only one upstream uses
// it, a general text and the code are shown.
import { words } from '../../ui/language.ts'

function toText(texts: Readonly<Record<string, string>>, code: string): string {
  return texts[code] ?? `${texts['other']} (${code})`
}

export function toFailureText(code: string): string {
  return toText(words().payments.failures, code)
}

export function toDisputeReasonText(code: string): string {
  return toText(words().payments.dispute.reasons, code)
}

export function toRefundFailureText(code: string): string {
  return toText(words().payments.refund.failures, code)
}
