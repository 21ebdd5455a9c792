// What a person chose for tables in this browser: the columns they see, and their named views. Read once and written only
// by handlers; several accounts may use the same browser, so each has its own.
import { useSyncExternalStore } from 'react'
import { useAccount } from '../api/session.ts'
import { addView, NO_CHOICES, parseChoices } from './table-choices.ts'
import type { Choices, SavedView, TableName } from './table-choices.ts'

const STORAGE_KEY = 'pazar-tables'

let all: Record<string, Choices> | null = null
const listeners = new Set<() => void>()

function read(): Record<string, Choices> {
  all ??= parseChoices(localStorage.getItem(STORAGE_KEY))
  return all
}

function change(accountId: string, next: (before: Choices) => Choices): void {
  // Another tab may have changed them since.
  const stored = parseChoices(localStorage.getItem(STORAGE_KEY))
  all = { ...stored, [accountId]: next(stored[accountId] ?? NO_CHOICES) }
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(all))
  } catch {
    // The storage is full or blocked: the choice lasts until the page is reloaded.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function useChoices(): [accountId: string, choices: Choices] {
  const { id } = useAccount()
  const choices = useSyncExternalStore(subscribe, read)[id] ?? NO_CHOICES
  return [id, choices]
}

/** The chosen columns of a table, in the order of `columns`; `initial` until somebody chooses. */
export function useColumns<T extends string>(table: TableName, columns: readonly T[], initial: readonly T[]) {
  const [accountId, choices] = useChoices()
  const chosen: readonly string[] = choices.columns[table] ?? initial
  return {
    shown: columns.filter((column) => chosen.includes(column)),
    choose: (next: readonly T[] | null) =>
      change(accountId, (before) => {
        const { [table]: _before, ...others } = before.columns
        return { ...before, columns: next === null ? others : { ...others, [table]: next } }
      }),
  }
}

/** The named views of a list of one project. */
export function useSavedViews(table: TableName, projectId: string) {
  const [accountId, choices] = useChoices()
  const key = `${projectId} ${table}`
  const views = choices.views[key] ?? []
  const store = (next: (before: readonly SavedView[]) => readonly SavedView[]) =>
    change(accountId, (before) => ({
      ...before,
      views: { ...before.views, [key]: next(before.views[key] ?? []) },
    }))
  return {
    views,
    save: (view: SavedView) => store((before) => addView(before, view)),
    remove: (name: string) => store((before) => before.filter((view) => view.name !== name)),
  }
}
