import { toErrorText, toFieldErrors } from '../api/api-error.ts'
import { Button } from '../ui/button.tsx'
import { entryWords } from '../ui/language.ts'
import { Notice } from '../ui/notice.tsx'

export function Failed({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, detail } = toErrorText(error)
  // The errors of single fields say more than the general sentence.
  const fieldErrors = Object.values(toFieldErrors(error))
  return (
    <Notice
      tone="error"
      title={title}
      action={
        onRetry && (
          <Button small onClick={onRetry}>
            {entryWords().frame.tryAgain}
          </Button>
        )
      }
    >
      {fieldErrors.length === 0 ? detail : fieldErrors.join(' ')}
    </Notice>
  )
}
