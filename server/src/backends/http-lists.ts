import type { BackendLists } from './backend.ts'
import type { ListOptions } from './http-pager.ts'
import { createHttpPager } from './http-pager.ts'
import { toCharge, toRefundReport } from './http-wire.ts'

export function createHttpLists(options: ListOptions): BackendLists {
  return {
    async isOffered() {
      const info = await options.fetchInfo()
      return info && info.lists === true
    },
    payments: createHttpPager(options, 'payments', toCharge),
    refunds: createHttpPager(options, 'refunds', toRefundReport),
  }
}
