// When a file of the portal cannot be loaded, a dialog suggests a reload. This happens, for example, some weeks after a
// deploy, when the files of the old build are deleted.
import { useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { reload } from './fallback-pages.tsx'
import { entryWords } from '../ui/language.ts'

export function NewVersion() {
  const [missing, setMissing] = useState(false)
  useEffect(() => {
    const notice = () => setMissing(true)
    window.addEventListener('vite:preloadError', notice)
    return () => window.removeEventListener('vite:preloadError', notice)
  }, [])
  if (!missing) return null
  const { title, text, action } = entryWords().frame.newVersion
  return (
    <Dialog title={title} onClose={() => setMissing(false)}>
      <p>{text}</p>
      <div>
        <Button kind="main" onClick={reload}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
