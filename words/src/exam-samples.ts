import { catalogue } from './catalogue.ts'
import type { Locale } from './locale.ts'

export function examSamplesFor(locale: Locale) {
  const response = { status: 200, duration: '42 ms' }
  const title = catalogue(locale).portal.exam.scenarios.repeated
  const inBothModes: [{ signedWith: 'live' | 'test' }][] = [
    [{ signedWith: 'live' }],
    [{ signedWith: 'test' }],
  ]
  return {
    got: {
      status: [[response] as [typeof response]],
      stillPaid: [[response] as [typeof response]],
      undone: [[response] as [typeof response]],
      unseen: ['exam-1f0c-good', null].map((order): [typeof response & { order: string | null }] => [
        { ...response, order },
      ]),
      notPaid: [[response] as [typeof response]],
      takenForPayment: [[response] as [typeof response]],
      unseenUnpaid: [[response] as [typeof response]],
      alsoRefused: [[response] as [typeof response]],
      slowest: [[{ duration: '42 ms' }] as [{ duration: string }]],
      late: [[{ titles: title }] as [{ titles: string }]],
    },
    fixes: {
      crashed: [[{ fix: catalogue(locale).exam.scenarios.repeated.fix }] as [{ fix: string }]],
    },
    problems: {
      missing_header: [[{ header: 'webhook-id' }] as [{ header: string }]],
      repeated_header: [[{ header: 'webhook-id' }] as [{ header: string }]],
      timestamp_stale: [[{ age: '20 min' }] as [{ age: string }]],
      timestamp_early: [[{ age: '20 min' }] as [{ age: string }]],
      event_unknown: [[{ event: 'order.shipped' }] as [{ event: string }]],
      event_fields: [[{ event: 'refund.result', fields: 'refundId' }] as [{ event: string; fields: string }]],
      wrong_mode: inBothModes,
      body_changed: [[{ fields: 'amount, customId' }] as [{ fields: string }]],
      wrong_label: inBothModes,
    },
  }
}
