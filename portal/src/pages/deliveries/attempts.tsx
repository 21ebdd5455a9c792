import type { AttemptView } from '@pazar/contract'
import {
  isForwarded,
  isInInbox,
  isWithoutResponse,
  toDurationText,
  toResponseText,
  toTriggerText,
} from '../../parts/deliveries/attempt-text.tsx'
import { ExactTime } from '../../parts/time.tsx'
import { Badge } from '../../ui/badge.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { words } from '../../ui/language.ts'

/**
 * A callback with more attempts than this shows only the newest two at first, so that the request below the attempts is
 * easy to reach.
 */
const UNFOLDED_MAX = 4

function isSameResponse(attempt: AttemptView, other: AttemptView | undefined): boolean {
  return attempt.statusCode === other?.statusCode && attempt.responseExcerpt === other?.responseExcerpt
}

export function Attempts({
  attempts,
  noticeCause,
}: {
  attempts: AttemptView[]
  noticeCause: string | null | undefined
}) {
  const { drawer } = words().deliveries
  const newest = attempts.at(-1)
  const renderList = (shown: AttemptView[]) => (
    <ol className="grid divide-y divide-line rounded-control border border-line text-sm">
      {shown.map((attempt) => (
        <Attempt
          key={attempt.attempt}
          attempt={attempt}
          isInNotice={attempt.cause !== null && attempt.cause === noticeCause}
          isRepeated={attempt !== newest && isSameResponse(attempt, newest)}
          hasSameUrl={attempt !== newest && attempt.url === newest?.url}
        />
      ))}
    </ol>
  )
  const all = attempts.toReversed()
  const shownCount = all.length > UNFOLDED_MAX ? 2 : all.length
  return (
    <section className="grid gap-3">
      <h3 className="font-strong">{drawer.attempts}</h3>
      {renderList(all.slice(0, shownCount))}
      {shownCount < all.length && (
        <details>
          <summary className="min-h-11 content-center font-medium">
            {drawer.earlier(all.length - shownCount)}
          </summary>
          {renderList(all.slice(shownCount))}
        </details>
      )}
    </section>
  )
}

interface AttemptProps {
  attempt: AttemptView
  /** The notice at the top has the same cause. */
  isInNotice: boolean
  /** The newest attempt has the same response. */
  isRepeated: boolean
  /** The newest attempt has the same URL. */
  hasSameUrl: boolean
}

function Attempt({ attempt, isInNotice, isRepeated, hasSameUrl }: AttemptProps) {
  const { deliveries } = words()
  const { drawer } = deliveries
  if (isForwarded(attempt)) return <ForwardedAttempt attempt={attempt} />
  const isDelivered = attempt.outcome === 'delivered'
  return (
    <li className="grid gap-1 p-3">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">
          {drawer.attempt(attempt.attempt)} · {toTriggerText(attempt.trigger)}
        </span>
        <Badge
          tone={isDelivered ? 'ok' : 'error'}
          text={isWithoutResponse(attempt) ? deliveries.outcomes[attempt.outcome] : toResponseText(attempt)}
        />
      </p>
      <p className="text-muted wrap-anywhere">
        <ExactTime at={attempt.startedAt} /> · {toDurationText(attempt)}
        {!hasSameUrl && ` · ${attempt.url}`}
      </p>
      {isInInbox(attempt) && <p>{attempt.cause}</p>}
      {attempt.cause && !isDelivered && !isInNotice && (
        <p>
          <span className="text-muted">{drawer.cause}:</span> {attempt.cause}
        </p>
      )}
      {attempt.fix && !isDelivered && !isInNotice && (
        <p>
          <span className="text-muted">{drawer.fix}:</span> {attempt.fix}
        </p>
      )}
      {attempt.statusCode !== null && !isRepeated && <Response text={attempt.responseExcerpt} />}
    </li>
  )
}

function Response({ text }: { text: string | null }) {
  const { drawer } = words().deliveries
  if (!text) return <p className="text-muted">{drawer.empty}</p>
  return <CodeBlock label={drawer.response} text={text} />
}

/**
 * The service does not see the response to an attempt that was forwarded to a CLI. It knows only what the CLI reported.
 */
function ForwardedAttempt({ attempt }: { attempt: AttemptView }) {
  const { deliveries, payments } = words()
  return (
    <li className="grid gap-2 p-3">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">
          {deliveries.drawer.attempt(attempt.attempt)} · {toTriggerText(attempt.trigger)}
        </span>
        <Badge tone="neutral" text={payments.callbackStates.forwarded} />
      </p>
      <p className="text-muted">
        <ExactTime at={attempt.startedAt} />
        {attempt.reported && ` · ${toResponseText(attempt)} · ${toDurationText(attempt)}`}
      </p>
      <p>{attempt.cause}</p>
      <p>{attempt.fix}</p>
    </li>
  )
}
