import type { ReactNode } from 'react'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import { classNames } from './class-names.ts'

const TONES = {
  ok: { box: 'bg-ok-bg', mark: 'text-ok', Icon: CircleCheck },
  warn: { box: 'bg-warn-bg', mark: 'text-warn', Icon: TriangleAlert },
  error: { box: 'bg-error-bg', mark: 'text-error', Icon: CircleAlert },
  info: { box: 'bg-info-bg', mark: 'text-info', Icon: Info },
}

export type Tone = keyof typeof TONES

export interface NoticeProps {
  tone: Tone
  title?: string
  children?: ReactNode
  action?: ReactNode
  live?: boolean
}

export function Notice({ tone, title, children, action, live = true }: NoticeProps) {
  const { box, mark, Icon } = TONES[tone]
  return (
    <div
      role={live ? (tone === 'error' ? 'alert' : 'status') : undefined}
      className={classNames('flex items-start gap-3 rounded-button p-4', box)}
    >
      <Icon aria-hidden className={classNames('mt-0.5 size-5 shrink-0', mark)} />
      <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-48 wrap-anywhere">
          {title && <p className={classNames('font-strong', mark)}>{title}</p>}
          {children && <div className="text-sm">{children}</div>}
        </div>
        {action}
      </div>
    </div>
  )
}
