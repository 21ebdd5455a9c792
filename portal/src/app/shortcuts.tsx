// The shortcuts that are a single key, and the dialog that lists all shortcuts. Single keys can be switched off,
// because speech input or shaky fingers can press them by accident.
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { Check } from '../ui/field.tsx'
import { words } from '../ui/language.ts'
import { createStoredText } from '../ui/stored-text.ts'

const singleKeys = createStoredText('localStorage', 'pazar-single-keys')
const OFF = 'off'

function areSingleKeysOn(): boolean {
  return singleKeys.read() !== OFF
}

function isTaken({ target }: KeyboardEvent): boolean {
  const isField =
    target instanceof Element && target.closest('input, select, textarea, [contenteditable]') !== null
  return isField || document.querySelector('dialog[open]') !== null
}

/** `?` opens the dialog, and `/` focuses the search field of a list. */
export function useShortcuts(onHelp: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTaken(event) || !areSingleKeysOn()) return
      const search = document.querySelector<HTMLElement>('main search input')
      if (event.key === '?') onHelp()
      else if (event.key === '/' && search) search.focus()
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [onHelp])
}

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { shortcuts } = words().frame
  const [isOn, setOn] = useState(areSingleKeysOn)
  const choose = (next: boolean) => {
    setOn(next)
    singleKeys.write(next ? null : OFF)
  }
  return (
    <Dialog title={shortcuts.title} onClose={onClose}>
      <dl className="grid divide-y divide-line border-y border-line">
        <Line keys={['Ctrl', 'K']} or={['⌘', 'K']} text={shortcuts.command} />
        <Line keys={['/']} text={shortcuts.search} />
        <Line keys={['?']} text={shortcuts.help} />
        <Line keys={['Ctrl', 'S']} or={['⌘', 'S']} text={shortcuts.save} />
        <Line keys={['←', '→']} text={shortcuts.bars} />
        <Line keys={['Esc']} text={shortcuts.close} />
      </dl>
      <Check label={shortcuts.single} hint={shortcuts.singleHint} checked={isOn} onCheck={choose} />
    </Dialog>
  )
}

function Line({ keys, or, text }: { keys: readonly string[]; or?: readonly string[]; text: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
      <dt>{text}</dt>
      <dd className="flex flex-wrap items-center gap-1 text-sm text-muted">
        {keys.map(toKey)}
        {or && (
          <>
            <span>/</span>
            {or.map(toKey)}
          </>
        )}
      </dd>
    </div>
  )
}

function toKey(name: string): ReactNode {
  return (
    <kbd
      key={name}
      className="rounded-control border border-control bg-surface px-2 py-0.5 font-mono text-ink"
    >
      {name}
    </kbd>
  )
}
