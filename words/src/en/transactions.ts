// Names of the columns in an exported list of payments.
export const transactions = {
  columns: {
    createdAt: 'Time (UTC)',
    localTime: (timeZone: string) => `Local time (${timeZone})`,
    id: 'Transaction ID',
    reference: 'Payment reference',
    mode: 'Mode',
    state: 'State',
    amount: 'Amount',
    amountMinor: 'Amount in smallest units',
    currency: 'Currency',
    failureCode: 'Failure reason',
    needsReview: 'Needs review',
    completedAt: 'Completed (UTC)',
    callbackStatus: 'Callback',
    callbackAttempts: 'Callback attempts',
    callbackStatusCode: 'Last HTTP status',
    resolution: 'Decision after review',
    resolvedAt: 'Decided (UTC)',
    resolutionReason: 'Reason for the decision',
  },
  yes: 'yes',
}
