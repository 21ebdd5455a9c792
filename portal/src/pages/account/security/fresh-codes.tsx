import { useEffect } from 'react'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { securityWords } from '../../../ui/language.ts'

export function FreshCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { fresh: text } = securityWords().codes
  // Without this listener, the Back button would show the codes again.
  useEffect(() => {
    window.addEventListener('pagehide', onClose)
    return () => window.removeEventListener('pagehide', onClose)
  }, [onClose])
  return (
    <Dialog title={text.title} onClose={onClose} ignoresOutsideClicks>
      <p>{text.text}</p>
      <ul
        aria-label={text.list}
        className="grid grid-cols-2 gap-x-4 gap-y-1 rounded-control border border-line bg-surface px-3 py-2 font-mono select-all"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton data-initial-focus small={false} kind="main" text={codes.join('\n')} what={text.list} />
        <Button onClick={onClose}>{text.close}</Button>
      </div>
    </Dialog>
  )
}
