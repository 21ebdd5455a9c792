// Sample arguments for the text functions of the portal, as a part of the samples in samples.ts.
import { formatMoney } from './format.ts'
import type { Locale } from './locale.ts'

// Why this is long: one list.
export function portalSamplesFor(locale: Locale, counts: readonly number[]) {
  const amount = formatMoney(locale, 1500n, 'EUR', 2)
  /** For functions whose only argument is a count: the arguments of one call for each count. */
  const many = counts.map((n): [number] => [n])
  const transferTo: [string, string] = ['ana@example.me', '27.07.2026. 17:04']
  return {
    frame: {
      command: {
        find: [['order-7'] as [string]],
        searchDocs: [['webhook'] as [string]],
        theme: [[locale === 'cnr' ? 'Tamna' : 'Dark'] as [string]],
      },
      shownFrom: [['17:04'] as [string]],
      newRows: many,
      newRowsOver: [[20] as [number]],
      forbidden: { title: [[locale === 'cnr' ? 'Mjesečni pregled' : 'Statement'] as [string]] },
    },
    entry: { forgot: { sentText: [['ana@example.me'] as [string]] } },
    projects: {
      list: { used: [[3, 5] as [number, number]], rate: [['85%'] as [string]] },
      overview: {
        stepsDone: [[2, 4] as [number, number]],
        sampleLink: [[amount] as [string]],
      },
    },
    quickstart: { start: [['verify.go', 'callback.go'] as [string, string]] },
    keys: {
      next: { discardedAt: [['27.07.2026. 17:04'] as [string]] },
      dialog: { typeName: [['Knjižara Šćepan'] as [string]] },
    },
    security: {
      removal: { text: [['26.07.2026. 17:04'] as [string]] },
      summary: { fairText: many, codes: many },
      codes: { left: many },
      passkeys: { removeText: [['MacBook'] as [string]] },
      sessions: { count: many },
      devices: { count: many, forgotten: many },
      tokens: { count: many },
    },
    settings: {
      changes: many,
      toCorrect: many,
      was: [['https://shop.example.me'] as [string]],
      actors: { token: [['Kasa 1'] as [string]] },
      brand: { pay: [['15,00 €'] as [string]], heading: [['Knjižara Šćepan'] as [string]] },
      archive: { dialogTitle: [['Knjižara Šćepan'] as [string]] },
      remove: { typeName: [['Knjižara Šćepan'] as [string]] },
    },
    members: {
      roleOf: [['ana@example.me'] as [string]],
      removeDialog: { text: [['ana@example.me'] as [string]] },
      cancelDialog: { text: [['ana@example.me'] as [string]] },
      transfer: {
        offerDialog: { text: [['ana@example.me'] as [string]] },
        toOther: { offered: [transferTo], accepted: [transferTo] },
        toYou: { offered: [transferTo], accepted: [transferTo] },
      },
      invitation: {
        join: [['Knjižara Šćepan'] as [string]],
        text: [['ana@example.me'] as [string]],
        other: { text: [['ana@example.me', 'marko@example.me'] as [string, string]] },
        expired: { text: [['ana@example.me'], [null]] as [string | null][] },
      },
    },
    payments: {
      drawer: { orderPaid: [[amount] as [string]] },
      table: { deleteView: [['Neuspješna'] as [string]] },
      filters: {
        labelSet: many,
        remove: [[locale === 'cnr' ? 'Neuspješno' : 'Failed'] as [string]],
      },
      total: many,
      totalOver: [[10_000] as [number]],
      range: [[1, 20, 1234] as [number, number, number]],
      page: many,
      net: [[amount] as [string]],
      timeline: {
        paid: [[amount] as [string]],
        reported: [[locale === 'cnr' ? 'Neuspješno' : 'Failed'] as [string]],
        callback: [[locale === 'cnr' ? 'Plaćanje' : 'Payment'] as [string]],
        notSent: [[locale === 'cnr' ? 'Plaćanje' : 'Payment'] as [string]],
        nextAttempt: [[locale === 'cnr' ? 'Plaćanje' : 'Payment'] as [string]],
        failedAttempts: many,
        lastResponse: [['HTTP 404'] as [string]],
        refund: {
          processing: [[amount] as [string]],
          succeeded: [[amount] as [string]],
          failed: [[amount] as [string]],
          returned: [[amount] as [string]],
        },
        disputeOpened: {
          inquiry: [[amount] as [string]],
          dispute: [[amount] as [string]],
          either: [[amount] as [string]],
        },
        disputeClosed: {
          dispute: [[locale === 'cnr' ? 'Izgubljen' : 'Lost'] as [string]],
          either: [[locale === 'cnr' ? 'Dobijen' : 'Won'] as [string]],
        },
      },
      dispute: {
        titles: {
          open: [[amount] as [string]],
          inquiry: [[amount] as [string]],
          lost: [[amount] as [string]],
        },
        left: [[0] as [number], ...many],
        subject: [['3f2a1-9bc04'] as [string]],
        needEvidence: { disputes: many, inquiries: many, both: many },
        tests: { disputes: many, inquiries: many, both: many },
        disputedAmount: [[amount] as [string]],
        inquiryAmount: [[amount] as [string]],
      },
      refund: {
        amountWrong: [[amount] as [string]],
        tooMuch: [[amount] as [string]],
        left: [[amount] as [string]],
        submit: [[amount] as [string]],
        results: {
          processing: [[amount] as [string]],
          succeeded: [[amount] as [string]],
          failed: [[amount] as [string]],
          returned: [[amount] as [string]],
        },
      },
    },
    link: {
      amountIs: [[amount] as [string]],
      amountWrong: [[amount] as [string]],
      dataHint: { signed: [[11, 64] as [number, number]], tooLong: [[65, 64] as [number, number]] },
      qrAlt: [[amount] as [string]],
    },
    statement: {
      monthName: [[locale === 'cnr' ? 'novembar' : 'November', '2026'] as [string, string]],
      zone: [['Europe/Podgorica'] as [string]],
      otherCurrencies: [['USD'] as [string]],
    },
    deliveries: {
      reported: [['HTTP 200'] as [string]],
      responded: [['200', '42 ms'] as [string, string]],
      resentMany: many,
      total: many,
      totalOver: [[25] as [number]],
      nextAt: [[locale === 'cnr' ? 'za 4 min' : 'in 4 min'] as [string]],
      drawer: { earlier: many, attempt: many },
    },
    metrics: {
      range: { last: many, wrong: many },
      paid: many,
      refunds: many,
      disputes: many,
      ofEnded: counts.map((n): [number, number] => [n, n + 1]),
      within: [['120 ms'] as [string]],
      inReview: many,
      charts: {
        totals: { live: [[amount] as [string]], test: [[amount] as [string]] },
        bar: [['26.07.', amount] as [string, string]],
        netOf: [[amount, amount, amount] as [string, string, string]],
        rateOf: [[0.984, 2] as [number, number]],
        within: [['120 ms'] as [string]],
      },
    },
    failures: {
      open: { title: many, titleOver: [[200] as [number]] },
      givenUp: { title: many, titleOver: [[200] as [number]] },
      since: many,
      showCause: [['HTTP 500'] as [string]],
    },
    exam: { failedSome: [[3, 12] as [number, number]], stoppedText: [[1], [3], [11]] as [number][] },
    account: {
      email: {
        current: [['ana@example.me'] as [string]],
        sentAgain: [['ana@example.me'] as [string]],
      },
      password: { revokeTokens: many },
      close: { typeEmail: [['ana@example.me'] as [string]] },
      sessions: { ended: many },
      tokens: {
        form: {
          dailyCap: [['EUR'] as [string]],
          dailyCapWrong: [[amount] as [string]],
          dailyCapIs: [[amount] as [string]],
          daysCount: many,
        },
        revokeDialog: { text: [['Kasa 1'] as [string]] },
      },
    },
  }
}
