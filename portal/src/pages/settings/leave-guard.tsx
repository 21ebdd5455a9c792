// Asks before a page with unsaved changes is left.
import { useBlocker } from '@tanstack/react-router'
import { createPortal } from 'react-dom'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { isLeavingAllowed } from '../../ui/drafts.ts'
import { words } from '../../ui/language.ts'

export interface LeaveGuardProps {
  hasChanges: boolean
  onDiscard: () => void
}

export function LeaveGuard({ hasChanges, onDiscard }: LeaveGuardProps) {
  const { unsaved } = words().frame
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => hasChanges && current.pathname !== next.pathname,
    enableBeforeUnload: () => hasChanges && !isLeavingAllowed(),
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  // The form may be in a hidden part of the page, where a dialog would be invisible.
  return createPortal(
    <Dialog title={unsaved.title} onClose={blocker.reset}>
      <p>{unsaved.text}</p>
      <div className="flex flex-wrap gap-2">
        <Button kind="main" onClick={blocker.reset}>
          {unsaved.stay}
        </Button>
        <Button
          kind="danger"
          onClick={() => {
            onDiscard()
            blocker.proceed()
          }}
        >
          {unsaved.leave}
        </Button>
      </div>
    </Dialog>,
    document.body,
  )
}
