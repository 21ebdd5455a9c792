// The columns and named views that a person chose in this browser. Each account has its own choices.
import { useSyncExternalStore } from 'react'
import { useAccount } from '../api/session.ts'
import { createStoredText } from '../ui/stored-text.ts'
import { addView, NO_CHOICES, parseChoices } from './table-choices.ts'
import type { Choices, SavedView, TableName } from './table-choices.ts'

const tables = createStoredText('localStorage', 'pazar-tables')

/** Each key is the id of an account. Null until the storage has been read. */
let cached: Record<string, Choices> | null = null
const listeners = new Set<() => void>()

function readStored(): Record<string, Choices> {
  cached ??= parseChoices(tables.read())
  return cached
}

function change(accountId: string, update: (choices: Choices) => Choices): void {
  // Another tab may have changed the stored choices.
  const stored = parseChoices(tables.read())
  cached = { ...stored, [accountId]: update(stored[accountId] ?? NO_CHOICES) }
  tables.write(JSON.stringify(cached))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function useChoices(): [accountId: string, choices: Choices] {
  const { id } = useAccount()
  const choices = useSyncExternalStore(subscribe, readStored)[id] ?? NO_CHOICES
  return [id, choices]
}

export function useColumns<T extends string>(table: TableName, columns: readonly T[], initial: readonly T[]) {
  const [accountId, choices] = useChoices()
  const chosen: readonly string[] = choices.columns[table] ?? initial
  return {
    shown: columns.filter((column) => chosen.includes(column)),
    choose: (next: readonly T[] | null) =>
      change(accountId, (current) => {
        const { [table]: _replaced, ...otherTables } = current.columns
        return { ...current, columns: next === null ? otherTables : { ...otherTables, [table]: next } }
      }),
  }
}

export function useSavedViews(table: TableName, projectId: string) {
  const [accountId, choices] = useChoices()
  const key = `${projectId} ${table}`
  const views = choices.views[key] ?? []
  const store = (update: (stored: readonly SavedView[]) => readonly SavedView[]) =>
    change(accountId, (current) => ({
      ...current,
      views: { ...current.views, [key]: update(current.views[key] ?? []) },
    }))
  return {
    views,
    save: (view: SavedView) => store((stored) => addView(stored, view)),
    remove: (name: string) => store((stored) => stored.filter((view) => view.name !== name)),
  }
}
