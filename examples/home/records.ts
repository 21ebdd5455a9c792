// Stands for the merchant's records and settings.
const prices = new Map([['order-7', '1500']])
const paid = new Set<string>()

export const secret = 'sk_test_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'

export const orders = {
  /** Returns '' for an unknown order. The amount of a callback is never ''. */
  priceOf: (id: string | undefined): string => prices.get(id ?? '') ?? '',
  markPaid: async (id: string | undefined): Promise<void> => {
    if (id !== undefined) paid.add(id)
  },
  isPaid: (id: string): boolean => paid.has(id),
}
