import { ApiError, DismissedError, hasCode, toErrorText, toFieldErrors } from '../api/api-error.ts'
import { entryWords } from '../ui/language.ts'
import { Notice } from '../ui/notice.tsx'
import { useWaitMs } from './use-wait.ts'

export interface FormErrorProps {
  error: unknown
  /** The fields of the form that show their errors themselves. The errors of all other fields are shown here. */
  fields?: readonly string[]
  unknownOutcome?: string
}

export function FormError({ error, fields = [], unknownOutcome }: FormErrorProps) {
  const waitMs = useWaitMs(error)
  if (error === null || error instanceof DismissedError) return null
  // With `step_up_required`, the service may send the reason as the error of a field that no form has. `toErrorText` returns
  // the reason as `detail`.
  const fieldErrors = hasCode(error, 'step_up_required') ? [] : Object.entries(toFieldErrors(error))
  const others = fieldErrors.filter(([field]) => !fields.includes(field))
  if (fieldErrors.length > 0 && others.length === 0) return null
  if (error instanceof ApiError && error.retryAtMs !== null && waitMs === 0)
    return <Notice tone="info">{entryWords().waits.over}</Notice>
  const { title, detail } = toErrorText(error, unknownOutcome)
  return (
    <div tabIndex={-1} data-form-error className="rounded-button">
      <Notice tone="error" title={title}>
        {others.length === 0 ? detail : others.map(([, message]) => message).join(' ')}
      </Notice>
    </div>
  )
}
