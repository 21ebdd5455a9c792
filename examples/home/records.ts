// Stands for the merchant's own records and settings, which the sample beside it uses.
const prices = new Map([['order-7', '1500']])
const paid = new Set<string>()

export const secret = 'sk_test_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'

export const orders = {
  /** The price of an order. For an unknown order it is '', which no amount equals. */
  priceOf: (id: string | undefined): string => prices.get(id ?? '') ?? '',
  markPaid: async (id: string | undefined): Promise<void> => {
    if (id !== undefined) paid.add(id)
  },
  isPaid: (id: string): boolean => paid.has(id),
}
