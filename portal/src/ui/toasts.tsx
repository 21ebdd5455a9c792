// Short notes that something went well. They wait their turn in a polite region and never carry the only word of an error.
import { useEffect, useSyncExternalStore } from 'react'
import { CircleCheck } from 'lucide-react'

interface Toast {
  id: number
  text: string
}

let toasts: readonly Toast[] = []
let nextId = 1
const listeners = new Set<() => void>()
const SHOWN_MS = 6_000

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

export function toast(text: string): void {
  change([...toasts, { id: nextId++, text }])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 top-4 z-40 grid justify-items-center gap-2 lg:inset-x-auto lg:bottom-4 lg:left-4 lg:top-auto lg:justify-items-start"
    >
      {shown.map((one) => (
        <ToastNote key={one.id} toast={one} />
      ))}
    </div>
  )
}

function ToastNote({ toast: { id, text } }: { toast: Toast }) {
  useEffect(() => {
    const timer = setTimeout(() => change(toasts.filter((one) => one.id !== id)), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id])
  return (
    <p className="pointer-events-auto flex items-center gap-2 rounded-button border border-line bg-raised px-4 py-3 shadow-over">
      <CircleCheck aria-hidden className="size-5 shrink-0 text-ok" />
      {text}
    </p>
  )
}
