import { words } from '../../app/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

export interface AskDialogProps {
  url: string
  onClose: () => void
  onConfirm: () => void
}

/** The address of real callbacks is never sent anything without a word. */
export function AskDialog({ url, onClose, onConfirm }: AskDialogProps) {
  const { exam, frame } = words()
  return (
    <Dialog title={exam.ask.title} onClose={onClose}>
      <p>{exam.ask.text}</p>
      <code className="line-clamp-6 font-mono text-sm wrap-anywhere">{url}</code>
      <div className="flex flex-wrap gap-2">
        <Button kind="main" onClick={onConfirm}>
          {exam.ask.submit}
        </Button>
        <Button onClick={onClose}>{frame.cancel}</Button>
      </div>
    </Dialog>
  )
}
