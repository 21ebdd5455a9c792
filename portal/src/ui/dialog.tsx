// The browser's own modal dialog, which traps the focus, closes with Escape and returns the focus.
import { useId, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { X } from 'lucide-react'
import { entryWords } from './language.ts'
import { classNames } from './class-names.ts'
import { DialogToasts } from './toasts.tsx'

export interface DialogProps {
  title: string
  onClose: () => void
  children: ReactNode
  drawer?: boolean
  /** For a dialog whose content cannot be shown again. */
  ignoresOutsideClicks?: boolean
}

const CENTRED = 'm-auto w-[min(32rem,calc(100vw-2rem))] max-h-[calc(100dvh-2rem)] rounded-card'
const AT_THE_SIDE = 'ml-auto mr-0 my-0 h-dvh max-h-dvh w-[min(44rem,100vw)] max-w-none'

export function Dialog({
  title,
  onClose,
  children,
  drawer = false,
  ignoresOutsideClicks = false,
}: DialogProps) {
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    // The browser would focus the close button. But a form should start at its first field. And if a value is shown only
    // once, an accidental Enter must not close the dialog.
    dialog?.querySelector<HTMLElement>('input:not([readonly]), [data-initial-focus]')?.focus()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        // React also calls this handler for the event of a dialog inside this dialog.
        if (event.target !== ref.current) return
        onClose()
      }}
      onClick={(event) => !ignoresOutsideClicks && event.target === ref.current && onClose()}
      className={classNames(
        'overflow-y-auto border border-line bg-raised p-0 text-ink shadow-overlay',
        drawer ? AT_THE_SIDE : CENTRED,
      )}
    >
      <div className="grid gap-4 p-6">
        <div className="flex items-start justify-between gap-4">
          {/* In a drawer the heading gets the focus, because a ring around the close button would distract. */}
          <h2
            id={id}
            {...(drawer && { tabIndex: -1, 'data-initial-focus': true })}
            className="text-lg font-strong wrap-anywhere outline-none"
          >
            {title}
          </h2>
          <button
            type="button"
            onClick={onClose}
            aria-label={entryWords().frame.close}
            className="-m-2 grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-surface"
          >
            <X aria-hidden className="size-5" />
          </button>
        </div>
        {children}
      </div>
      <DialogToasts />
    </dialog>
  )
}
