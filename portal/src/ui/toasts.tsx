// Short messages of success. While a dialog is open, the page is inert and not announced, so the topmost dialog shows
// the messages.
import { useId, useLayoutEffect, useSyncExternalStore } from 'react'
import { CircleCheck } from 'lucide-react'
import { classNames } from './class-names.ts'

interface Toast {
  id: number
  text: string
}

interface Board {
  toasts: readonly Toast[]
  /** The topmost dialog is last. */
  dialogs: readonly string[]
}

let board: Board = { toasts: [], dialogs: [] }
let nextId = 1
const listeners = new Set<() => void>()
const SHOWN_MS = 6_000

function change(next: Partial<Board>): void {
  board = { ...board, ...next }
  for (const listener of listeners) listener()
}

export function toast(text: string): void {
  const id = nextId++
  change({ toasts: [...board.toasts, { id, text }] })
  setTimeout(() => change({ toasts: board.toasts.filter((one) => one.id !== id) }), SHOWN_MS)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function useBoard(): Board {
  return useSyncExternalStore(subscribe, () => board)
}

export function Toasts() {
  const { toasts, dialogs } = useBoard()
  // On a phone or tablet, the messages are above the bottom bar, because the menu and the mode switch are at the top.
  return <Region toasts={dialogs.length === 0 ? toasts : []} positionOnPhone="max-lg:bottom-20" />
}

export function DialogToasts() {
  const id = useId()
  const { toasts, dialogs } = useBoard()
  useLayoutEffect(() => {
    change({ dialogs: [...board.dialogs, id] })
    return () => change({ dialogs: board.dialogs.filter((one) => one !== id) })
  }, [id])
  // On a phone or tablet, the messages are at the bottom, because the close button of the dialog is at the top.
  return <Region toasts={dialogs.at(-1) === id ? toasts : []} positionOnPhone="max-lg:bottom-4" />
}

/** Rendered even without messages, because screen readers do not announce a new region that already has text. */
function Region({ toasts, positionOnPhone }: { toasts: readonly Toast[]; positionOnPhone: string }) {
  return (
    <div
      role="status"
      className={classNames(
        'pointer-events-none fixed inset-x-4 z-40 grid justify-items-center gap-2',
        'lg:inset-x-auto lg:bottom-4 lg:left-4 lg:justify-items-start',
        positionOnPhone,
      )}
    >
      {toasts.map(({ id, text }) => (
        <p
          key={id}
          className="pointer-events-auto flex items-center gap-2 rounded-button border border-line bg-raised px-4 py-3 shadow-overlay"
        >
          <CircleCheck aria-hidden className="size-5 shrink-0 text-ok" />
          {text}
        </p>
      ))}
    </div>
  )
}
