import { ApiError, GivenUp, toErrorText } from '../api/api-error.ts'
import { Notice } from './notice.tsx'

/** The whole form's refusal; what concerns one field stands at the field instead. */
export function Refusal({ error }: { error: unknown }) {
  if (error === null || error instanceof GivenUp) return null
  if (error instanceof ApiError && (error.problem?.errors ?? []).length > 0) return null
  const { title, detail } = toErrorText(error)
  return (
    <Notice tone="error" title={title}>
      {detail}
    </Notice>
  )
}
