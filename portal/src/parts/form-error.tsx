import { ApiError, DismissedError, toErrorText } from '../api/api-error.ts'
import { entryWords } from '../ui/language.ts'
import { Notice } from '../ui/notice.tsx'
import { useWaitMs } from './use-wait.ts'

/** The error of a whole form. The error of one field is shown at that field instead. */
export function FormError({ error }: { error: unknown }) {
  const waitMs = useWaitMs(error)
  if (error === null || error instanceof DismissedError) return null
  if (error instanceof ApiError && (error.problem?.errors ?? []).length > 0) return null
  if (error instanceof ApiError && error.retryAtMs !== null && waitMs === 0)
    return <Notice tone="info">{entryWords().waits.over}</Notice>
  const { title, detail } = toErrorText(error)
  return (
    <div tabIndex={-1} data-form-error className="rounded-button">
      <Notice tone="error" title={title}>
        {detail}
      </Notice>
    </div>
  )
}
