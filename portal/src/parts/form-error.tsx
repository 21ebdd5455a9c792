import { ApiError, DismissedError, toErrorText } from '../api/api-error.ts'
import { entryWords } from '../ui/language.ts'
import { Notice } from '../ui/notice.tsx'
import { useWaitMs } from './use-wait.ts'

/** The reason of a refused step-up is sent like the error of a field, but no form has such a field. */
function isShownAtField({ code, problem }: ApiError): boolean {
  return code !== 'step_up_required' && (problem?.errors ?? []).length > 0
}

/** Errors of single fields are shown at those fields instead. */
export function FormError({ error, unknownOutcome }: { error: unknown; unknownOutcome?: string }) {
  const waitMs = useWaitMs(error)
  if (error === null || error instanceof DismissedError) return null
  if (error instanceof ApiError && isShownAtField(error)) return null
  if (error instanceof ApiError && error.retryAtMs !== null && waitMs === 0)
    return <Notice tone="info">{entryWords().waits.over}</Notice>
  const { title, detail } = toErrorText(error, unknownOutcome)
  return (
    <div tabIndex={-1} data-form-error className="rounded-button">
      <Notice tone="error" title={title}>
        {detail}
      </Notice>
    </div>
  )
}
