// A button with a panel above or below it, for choices that need no dialog.
import { useEffect, useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export interface PopupProps {
  button: ReactNode
  buttonClass: string
  title?: string
  /** The panel is above the button and as wide as the button. By default, the panel is below the button. */
  above?: boolean
  /** `close` returns the focus to the button. */
  children: (close: () => void) => ReactNode
}

/** On a phone, the panel is as wide as the nearest positioned box, so that it stays on the screen. */
const BELOW = 'top-full mt-2 right-0 w-72 max-sm:left-0 max-sm:w-auto'
const ABOVE = 'bottom-full mb-2 inset-x-0'

export function Popup({ button, buttonClass, title, above = false, children }: PopupProps) {
  const [open, setOpen] = useState(false)
  const panel = useId()
  const root = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!open) return
    const close = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false)
    }
    document.addEventListener('pointerdown', close)
    document.addEventListener('focusin', close)
    return () => {
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('focusin', close)
    }
  }, [open])
  const close = () => {
    setOpen(false)
    opener.current?.focus()
  }
  return (
    <div
      ref={root}
      className={classNames('relative min-w-0', !above && 'max-sm:static')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return
        // A dialog around the popup stays open.
        event.preventDefault()
        event.stopPropagation()
        close()
      }}
    >
      <button
        ref={opener}
        type="button"
        title={title}
        aria-expanded={open}
        aria-controls={open ? panel : undefined}
        onClick={() => setOpen(!open)}
        className={buttonClass}
      >
        {button}
      </button>
      {open && (
        <div
          id={panel}
          className={classNames(
            'absolute z-40 grid gap-3 rounded-card border border-line bg-raised p-4 text-left shadow-overlay',
            above ? ABOVE : BELOW,
          )}
        >
          {children(close)}
        </div>
      )}
    </div>
  )
}
