import { ApiError, GivenUp, toErrorText } from '../api/api-error.ts'
import { words } from '../app/language.ts'
import { Notice } from './notice.tsx'
import { useWaitMs } from './use-wait.ts'

/** The whole form's refusal; what concerns one field stands at the field instead. */
export function Refusal({ error }: { error: unknown }) {
  const waitMs = useWaitMs(error)
  if (error === null || error instanceof GivenUp) return null
  if (error instanceof ApiError && (error.problem?.errors ?? []).length > 0) return null
  if (error instanceof ApiError && error.retryAtMs !== null && waitMs === 0)
    return <Notice tone="info">{words().waits.over}</Notice>
  const { title, detail } = toErrorText(error)
  return (
    <Notice tone="error" title={title}>
      {detail}
    </Notice>
  )
}
