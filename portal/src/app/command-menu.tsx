// Ctrl or Command and K: type an order, a page, a project or something to do, press Enter. What it offers is fetched when
// it is first opened.
import { lazy, Suspense, useEffect, useState } from 'react'
import { Search } from 'lucide-react'
import { words } from './language.ts'

const CommandDialog = lazy(async () => ({ default: (await import('./command-dialog.tsx')).CommandDialog }))

/** Keyed by the page: going somewhere closes it. */
export function CommandMenu({ projectId }: { projectId: string | null }) {
  const [open, setOpen] = useState(false)
  const { command } = words().frame
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setOpen(true)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return (
    <>
      <button
        type="button"
        aria-label={command.open}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
        className="grid size-11 place-items-center rounded-control text-muted hover:bg-surface"
      >
        <Search aria-hidden className="size-5" />
      </button>
      {open && (
        <Suspense>
          <CommandDialog projectId={projectId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
