// Shown while a removal of all second factors is planned. The mail about the removal has a link to this notice.
import { formatDateTime } from '@pazar/words'
import { keepFactors } from '../../../api/factors.ts'
import { useAccount } from '../../../api/session.ts'
import { Failed } from '../../../parts/failed.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { locale, securityWords } from '../../../ui/language.ts'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toasts.tsx'

export function RemovalNotice({ at }: { at: string }) {
  const { removal: text } = securityWords()
  const { timeZone } = useAccount()
  const keeping = useAction(async () => {
    await keepFactors()
    toast(text.cancelled)
  })
  return (
    <>
      <Notice
        tone="error"
        title={text.title}
        action={
          <Button kind="main" busy={keeping.busy} onClick={() => void keeping.run()}>
            {text.cancel}
          </Button>
        }
      >
        {text.text(formatDateTime(locale, new Date(at), timeZone))}
      </Notice>
      {keeping.error !== null && <Failed error={keeping.error} />}
    </>
  )
}
