// The controls above a list: its columns and named views, stored in the browser.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Bookmark, Columns3, X } from 'lucide-react'
import { buttonClass, Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Check, Field } from '../ui/field.tsx'
import { words } from '../ui/language.ts'
import { Popup } from '../ui/popup.tsx'
import { useMode } from './mode.ts'
import { parseQuery, writeQuery } from './search.ts'
import type { ListSearch } from './search.ts'
import { VIEW_NAME_MAX } from './table-choices.ts'
import type { TableName } from './table-choices.ts'
import { useSavedViews } from './table-views.ts'

export interface ColumnChoiceProps<T extends string> {
  names: Readonly<Record<T, string>>
  columns: readonly T[]
  shown: readonly T[]
  onChoose: (columns: readonly T[] | null) => void
}

/** Hidden on a phone, where rows are cards without columns. */
export function ColumnChoice<T extends string>({ names, columns, shown, onChoose }: ColumnChoiceProps<T>) {
  const { table } = words().payments
  return (
    <div className="max-md:hidden">
      <Popup
        buttonClass={buttonClass('second', true)}
        button={
          <>
            <Columns3 aria-hidden className="size-4" />
            {table.columns}
          </>
        }
      >
        {() => (
          <>
            {columns.map((column) => (
              <Check
                key={column}
                label={names[column]}
                checked={shown.includes(column)}
                onCheck={(isShown) =>
                  onChoose(columns.filter((one) => (one === column ? isShown : shown.includes(one))))
                }
              />
            ))}
            <Button small onClick={() => onChoose(null)}>
              {table.reset}
            </Button>
            <p className="text-xs text-muted">{table.stored}</p>
          </>
        )}
      </Popup>
    </div>
  )
}

export interface SavedViewsProps {
  table: TableName
  projectId: string
  search: ListSearch
}

export function SavedViews({ table, projectId, search }: SavedViewsProps) {
  const { table: texts } = words().payments
  const { views, save, remove } = useSavedViews(table, projectId)
  const mode = useMode()
  // Neither the page nor the open row belongs to a view.
  const { page: _page, row: _row, ...filters } = search
  const query = writeQuery(filters)
  return (
    <Popup
      buttonClass={buttonClass('second', true)}
      button={
        <>
          <Bookmark aria-hidden className="size-4" />
          {texts.views}
        </>
      }
    >
      {(close) => (
        <>
          {views.length > 0 && (
            <ul className="grid">
              {views.map((view) => (
                <li key={view.name} className="flex items-center gap-2">
                  <Link
                    to="."
                    search={{ ...parseQuery(view.query), mode }}
                    onClick={close}
                    aria-current={view.query === query ? 'true' : undefined}
                    className="flex min-h-11 min-w-0 flex-1 items-center text-accent underline underline-offset-4 wrap-anywhere aria-current:font-strong"
                  >
                    {view.name}
                  </Link>
                  <button
                    type="button"
                    aria-label={texts.deleteView(view.name)}
                    onClick={() => remove(view.name)}
                    className="grid size-9 shrink-0 place-items-center rounded-control text-muted hover:bg-surface"
                  >
                    <X aria-hidden className="size-4" />
                  </button>
                </li>
              ))}
            </ul>
          )}
          {query === '' ? (
            <p className="text-sm text-muted">{texts.viewsText}</p>
          ) : (
            <NewView onSave={(name) => save({ name, query })} />
          )}
          <p className="text-xs text-muted">{texts.stored}</p>
        </>
      )}
    </Popup>
  )
}

function NewView({ onSave }: { onSave: (name: string) => void }) {
  const { frame, payments } = words()
  const [name, setName] = useState('')
  return (
    <>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          onSave(name.trim())
          setName('')
        }}
      >
        <Field
          label={payments.table.viewName}
          value={name}
          onText={setName}
          maxLength={VIEW_NAME_MAX}
          autoComplete="off"
          pattern=".*\S.*"
          required
        />
        <Button small type="submit">
          {payments.table.saveView}
        </Button>
      </form>
      <CopyButton text={location.href} label={frame.copyLink} />
    </>
  )
}
