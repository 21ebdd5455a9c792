import { CircleAlert, CircleCheck, CircleMinus, CircleX, Clock, Share, Undo2 } from 'lucide-react'
import { classNames } from './class-names.ts'

const TONES = {
  ok: { className: 'bg-ok-bg text-ok', Icon: CircleCheck },
  warn: { className: 'bg-warn-bg text-warn', Icon: CircleAlert },
  /** For a state that needs attention, but has not failed. */
  waiting: { className: 'bg-warn-bg text-warn', Icon: Clock },
  error: { className: 'bg-error-bg text-error', Icon: CircleX },
  info: { className: 'bg-info-bg text-info', Icon: Clock },
  /** For a state that is neither good nor bad. */
  neutral: { className: 'bg-info-bg text-info', Icon: Share },
  /** For something that was not sent, or is no longer sent. */
  unknown: { className: 'bg-surface text-muted', Icon: CircleMinus },
  refunded: { className: 'bg-info-bg text-info', Icon: Undo2 },
}

export type BadgeTone = keyof typeof TONES

/** Each badge has an icon and a text, so that nobody needs the colour to understand the badge. */
export function Badge({ tone, text }: { tone: BadgeTone; text: string }) {
  const { className, Icon } = TONES[tone]
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 rounded-full inset-ring inset-ring-current/15 px-2 py-0.5 text-left text-xs font-medium xl:whitespace-nowrap',
        className,
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {text}
    </span>
  )
}
