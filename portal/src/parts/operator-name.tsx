import { MARK_PATH, MARK_SIZE } from '@pazar/theme/mark'
import { pageData } from '../api/page-data.ts'

export function OperatorName() {
  return (
    <span className="flex items-center gap-2.5">
      <svg viewBox={`0 0 ${MARK_SIZE} ${MARK_SIZE}`} aria-hidden className="size-7 flex-none">
        <rect width={MARK_SIZE} height={MARK_SIZE} rx="8" className="fill-accent" />
        <path d={MARK_PATH} className="fill-on-accent" />
      </svg>
      <span className="min-w-0 wrap-anywhere">{pageData.operatorName}</span>
    </span>
  )
}
