import type { NamedChoice } from '../../parts/filter-chips.tsx'
import { words } from '../../ui/language.ts'

export function toStateChoice(): NamedChoice {
  const { filters, states, review, refund, moneyBack } = words().payments
  return {
    label: filters.state,
    all: filters.anyState,
    names: {
      ...states,
      in_review: review.inReview,
      refunded: refund.listTitle,
      disputed: moneyBack.disputed,
    },
  }
}
