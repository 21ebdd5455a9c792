// What a person chose for tables, as stored in the browser.

export type TableName = 'transactions' | 'deliveries'

/** `query` has the filters and the order of the view. */
export interface SavedView {
  name: string
  query: string
}

export interface Choices {
  columns: Partial<Record<TableName, readonly string[]>>
  /** Each key names a project and a table. */
  views: Readonly<Record<string, readonly SavedView[]>>
}

/** More views would not fit into the menu. */
export const VIEWS_MAX = 20
export const VIEW_NAME_MAX = 40
export const NO_CHOICES: Choices = { columns: {}, views: {} }

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

function isView(value: unknown): value is SavedView {
  const { name, query } = (value ?? {}) as Partial<Record<keyof SavedView, unknown>>
  return typeof name === 'string' && typeof query === 'string'
}

/** The stored text may be from another release, or changed by hand. */
export function parseChoices(text: string | null): Record<string, Choices> {
  let stored: unknown
  try {
    stored = JSON.parse(text ?? '{}')
  } catch {
    // Only the stored choices are lost.
    return {}
  }
  const entries = typeof stored === 'object' && stored !== null ? Object.entries(stored) : []
  return Object.fromEntries(
    entries.map(([account, value]) => {
      const { columns, views } = (value ?? {}) as Record<keyof Choices, unknown>
      const validColumns = Object.entries(columns ?? {}).filter(([, names]) => isTexts(names))
      const validViews = Object.entries(views ?? {}).map(([key, list]) => [
        key,
        Array.isArray(list) ? list.filter(isView).slice(0, VIEWS_MAX) : [],
      ])
      return [account, { columns: Object.fromEntries(validColumns), views: Object.fromEntries(validViews) }]
    }),
  )
}

export function addView(views: readonly SavedView[], view: SavedView): SavedView[] {
  return [...views.filter(({ name }) => name !== view.name), view].slice(-VIEWS_MAX)
}
