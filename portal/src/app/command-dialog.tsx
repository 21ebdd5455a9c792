// The open command menu. Enter in the field runs the first entry, and the arrow keys move the focus.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { CornerDownLeft } from 'lucide-react'
import { useProjects } from '../api/projects.ts'
import { queryClient, useAccount } from '../api/session.ts'
import { MoneyBackBadges, StateBadge } from '../parts/transactions/state-badges.tsx'
import { useAction } from '../parts/use-action.ts'
import { classNames } from '../ui/class-names.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Failed } from '../parts/failed.tsx'
import { formatAmount } from '../parts/format-amount.ts'
import { toEntries } from './command-entries.ts'
import type { Entry, Group } from './command-entries.ts'
import { findOrders } from './find-orders.ts'
import { words } from '../ui/language.ts'
import { useMode } from '../parts/mode.ts'
import { useDebounced } from '../ui/use-debounced.ts'

const GROUPS: readonly Group[] = ['orders', 'pages', 'projects', 'actions', 'docs', 'search']
const LINE =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 py-1.5 text-left hover:bg-surface focus-visible:bg-surface'

export interface CommandDialogProps {
  projectId: string | null
  onClose: () => void
}

export function CommandDialog({ projectId, onClose }: CommandDialogProps) {
  const { command } = words().frame
  const [typed, setTyped] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const mode = useMode()
  const projects = useProjects().data?.projects ?? []
  const text = typed.trim()
  const shown = projectId === null ? null : { projectId, mode }
  const { data: orders = [] } = useQuery(findOrders(useDebounced(text), shown))
  const context = { projectId, mode, projects, timeZone: useAccount().timeZone }
  const entries = toEntries(context, text, orders)

  const { run, error } = useAction(async (chosen: Entry | Promise<Entry | undefined>) => {
    const { target } = (await chosen) ?? {}
    if (!target) return
    if ('href' in target) return location.assign(target.href)
    const link = 'link' in target ? target.link : await target.run()
    onClose()
    if (link) await navigate(link)
  })

  /** Waits for the search, so that the correct order opens even if Enter is pressed immediately after typing. */
  async function findFirst(): Promise<Entry | undefined> {
    const options = findOrders(text, shown)
    const found = options.enabled ? await queryClient.fetchQuery(options).catch(() => []) : []
    return toEntries(context, text, found)[0]
  }

  function onArrow(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || !list.current) return
    event.preventDefault()
    const lines = [...list.current.querySelectorAll<HTMLElement>('input, li > a, li > button')]
    const focused = lines.findIndex((line) => line === document.activeElement)
    lines[(focused + step + lines.length) % lines.length]?.focus()
  }
  return (
    <Dialog title={command.title} onClose={onClose}>
      <div ref={list} className="grid gap-3" onKeyDown={onArrow}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            // The search is a part of the action, so that a second Enter does not run the action again.
            void run(findFirst())
          }}
        >
          <Field
            label={command.field}
            value={typed}
            onText={setTyped}
            autoFocus
            autoComplete="off"
            maxLength={128}
          />
        </form>
        {error !== null && <Failed error={error} />}
        {GROUPS.map((group) => (
          <Lines
            key={group}
            title={command.groups[group]}
            entries={entries.filter((entry) => entry.group === group)}
            first={entries[0]}
            onClose={onClose}
            onSelect={(entry) => void run(entry)}
          />
        ))}
      </div>
    </Dialog>
  )
}

interface LinesProps {
  title: string
  entries: readonly Entry[]
  first: Entry | undefined
  onClose: () => void
  onSelect: (entry: Entry) => void
}

function Lines({ title, entries, first, onClose, onSelect }: LinesProps) {
  if (entries.length === 0) return null
  return (
    <section className="grid gap-1">
      <h3 className="px-3 text-xs font-medium text-muted">{title}</h3>
      <ul className="grid">
        {entries.map((entry) => (
          <li key={entry.key}>
            <Line entry={entry} isFirst={entry.key === first?.key} onClose={onClose} onSelect={onSelect} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface LineProps {
  entry: Entry
  isFirst: boolean
  onClose: () => void
  onSelect: (entry: Entry) => void
}

function Line({ entry, isFirst, onClose, onSelect }: LineProps) {
  const { label, detail, payment, target } = entry
  const className = classNames(LINE, isFirst && 'bg-surface shadow-current')
  const content = (
    <>
      <span className="min-w-0 flex-1 wrap-anywhere">
        <span className="flex justify-between gap-2">
          {label}
          {payment && <span className="shrink-0">{formatAmount(payment.amount, payment)}</span>}
        </span>
        {detail && (
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
            {payment && <StateBadge payment={payment} />}
            {payment && <MoneyBackBadges payment={payment} />}
            {detail}
          </span>
        )}
      </span>
      {/* Every line has space for the icon, so that the amounts are aligned. Phones show no icon,
          because they usually have no keyboard. */}
      <CornerDownLeft
        aria-hidden
        className={classNames('hidden size-4 shrink-0 text-muted sm:block', !isFirst && 'invisible')}
      />
    </>
  )
  if ('link' in target) {
    return (
      <Link {...target.link} onClick={onClose} className={className}>
        {content}
      </Link>
    )
  }
  if ('href' in target) {
    return (
      <a href={target.href} className={className}>
        {content}
      </a>
    )
  }
  return (
    <button type="button" onClick={() => onSelect(entry)} className={className}>
      {content}
    </button>
  )
}
