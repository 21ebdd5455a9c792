// Ctrl+K or Command+K opens the command menu. Its code is loaded on first use.
import { useEffect, useState } from 'react'
import type { ComponentType } from 'react'
import { Search } from 'lucide-react'
import type { CommandDialogProps } from './command-dialog.tsx'
import { words } from '../ui/language.ts'

const KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'

/** The menu has the path as its React key, so opening a page closes the menu. */
export function CommandMenu({ projectId }: { projectId: string | null }) {
  const [open, setOpen] = useState(false)
  const [Dialog, setDialog] = useState<ComponentType<CommandDialogProps> | null>(null)
  const { command } = words().frame
  useEffect(() => {
    if (!open || Dialog) return
    import('./command-dialog.tsx').then(
      ({ CommandDialog }) => setDialog(() => CommandDialog),
      // If the chunk is missing, new-version.tsx says so.
      () => setOpen(false),
    )
  }, [open, Dialog])
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
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
        className="flex size-11 items-center justify-center gap-2 rounded-control text-sm text-muted hover:bg-surface lg:h-10 lg:w-auto lg:border lg:border-control lg:px-3"
      >
        <Search aria-hidden className="size-5 lg:size-4" />
        <span className="max-lg:sr-only">{command.open}</span>
        <kbd aria-hidden className="font-mono text-xs max-lg:hidden">
          {KEYS}
        </kbd>
      </button>
      {open && Dialog && <Dialog projectId={projectId} onClose={() => setOpen(false)} />}
    </>
  )
}
