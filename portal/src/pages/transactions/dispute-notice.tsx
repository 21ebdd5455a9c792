import type { DisputeView, TransactionView } from '@pazar/contract'
import { pageData } from '../../api/page-data.ts'
import { useAccount } from '../../api/session.ts'
import { formatAmount } from '../../parts/format-amount.ts'
import { toDeadlineText } from '../../parts/transactions/deadline-text.ts'
import { toDisputeReasonText } from '../../parts/transactions/failure-text.ts'
import { buttonClass } from '../../ui/button.tsx'
import { locale, words } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'

/** Adds a subject to a `mailto:` URL, so that the operator sees which payment the mail is about. */
function toSupportUrl(supportUrl: string, reference: string): string {
  if (!supportUrl.startsWith('mailto:') || supportUrl.includes('subject=')) return supportUrl
  const subject = encodeURIComponent(words().payments.dispute.subject(reference))
  return `${supportUrl}${supportUrl.includes('?') ? '&' : '?'}subject=${subject}`
}

export function DisputeNotice({ dispute, payment }: { dispute: DisputeView; payment: TransactionView }) {
  const { dispute: texts } = words().payments
  const { state } = dispute
  // A won dispute needs no notice, because the payment's timeline shows it.
  if (state === 'won') return null
  const needsResponse = state !== 'lost'
  const isTest = payment.mode === 'test'
  return (
    <Notice
      tone={isTest ? 'info' : needsResponse ? 'warn' : 'error'}
      live={false}
      title={texts.titles[state](formatAmount(dispute.amount, payment))}
    >
      {isTest ? (
        <p className="mt-1 mb-2">{texts.evidenceText.test}</p>
      ) : (
        needsResponse && (
          <p className="mt-1 mb-2">
            <strong className="font-strong">{texts.evidence}: </strong>
            {texts.evidenceText[state]}
          </p>
        )
      )}
      <Facts dispute={dispute} />
      {/* The text of an inquiry advises a refund, so it is hidden if nothing can be refunded. */}
      {!isTest && !(state === 'inquiry' && payment.refundable === '0') && (
        <p className="mt-2">{texts.texts[state]}</p>
      )}
      <p className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        {needsResponse && !isTest && pageData.supportUrl && (
          <a
            className={buttonClass('main', true)}
            href={toSupportUrl(pageData.supportUrl, payment.reference)}
          >
            {texts.send}
          </a>
        )}
        <a
          className="inline-flex min-h-6 items-center text-accent underline underline-offset-4"
          href={`/${locale}/docs/${texts.docsPath}`}
        >
          {texts.more}
        </a>
      </p>
    </Notice>
  )
}

function Facts({ dispute }: { dispute: DisputeView }) {
  const { dispute: texts } = words().payments
  const { timeZone } = useAccount()
  const deadline = dispute.closedAt === null ? toDeadlineText(dispute, timeZone) : null
  const facts = [
    ...(deadline === null ? [] : [[texts.respondBy, deadline]]),
    ...(dispute.reason === null ? [] : [[texts.reason, toDisputeReasonText(dispute.reason)]]),
  ]
  return facts.map(([name, value]) => (
    <p key={name}>
      <strong className="font-strong">{name}: </strong>
      {value}
    </p>
  ))
}
