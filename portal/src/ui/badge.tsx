import { CircleAlert, CircleCheck, CircleX, Clock, Share } from 'lucide-react'
import { classNames } from './class-names.ts'

const TONES = {
  ok: { look: 'bg-ok-bg text-ok', Icon: CircleCheck },
  warn: { look: 'bg-warn-bg text-warn', Icon: CircleAlert },
  error: { look: 'bg-error-bg text-error', Icon: CircleX },
  info: { look: 'bg-info-bg text-info', Icon: Clock },
  /** Gone on to somebody else; how it ended there is not known. */
  passed: { look: 'bg-info-bg text-info', Icon: Share },
}

export type BadgeTone = keyof typeof TONES

/** A state is an icon, a word and a colour, so that none of the three has to be seen. */
export function Badge({ tone, text }: { tone: BadgeTone; text: string }) {
  const { look, Icon } = TONES[tone]
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-left text-xs font-medium md:whitespace-nowrap',
        look,
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {text}
    </span>
  )
}
