import { words } from '../../ui/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { unsaved } = words().frame
  return (
    <Dialog title={unsaved.title} onClose={onStay}>
      <p>{unsaved.text}</p>
      <div className="flex flex-wrap gap-2">
        <Button kind="main" onClick={onStay}>
          {unsaved.stay}
        </Button>
        <Button kind="danger" onClick={onLeave}>
          {unsaved.leave}
        </Button>
      </div>
    </Dialog>
  )
}
