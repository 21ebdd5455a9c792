// Ctrl or Command and K: type an order, a page or a project, press Enter. The first line is what Enter does.
import { Link, useNavigate } from '@tanstack/react-router'
import type { LinkProps } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Search } from 'lucide-react'
import { useProjects } from '../api/projects.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { words } from './language.ts'
import { useMode } from './mode.tsx'
import { toProjectLinks } from './project-menu.tsx'

/** Keyed by the page: going somewhere closes it. */
export function CommandMenu({ projectId }: { projectId: string | null }) {
  const [open, setOpen] = useState(false)
  const { command } = words().frame
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setOpen(true)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return (
    <>
      <button
        type="button"
        aria-label={command.open}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
        className="grid size-11 place-items-center rounded-control text-muted hover:bg-surface"
      >
        <Search aria-hidden className="size-5" />
      </button>
      {open && <Menu projectId={projectId} onClose={() => setOpen(false)} />}
    </>
  )
}

interface Entry {
  label: string
  link: LinkProps
}

function useEntries(projectId: string | null, text: string): Entry[] {
  const { frame } = words()
  const mode = useMode()
  const { data } = useProjects()
  const projects = data?.projects ?? []
  const matches = ({ label }: Entry) => label.toLocaleLowerCase().includes(text.toLocaleLowerCase())
  const home = projectId ?? projects[0]?.id
  const found: Entry[] =
    text === '' || home === undefined
      ? []
      : [
          {
            label: frame.command.find(text),
            link: { to: '/projects/$id/transactions', params: { id: home }, search: { mode, q: text } },
          },
        ]
  const pages: Entry[] =
    projectId === null
      ? []
      : toProjectLinks().map(({ to, label }) => ({
          label,
          link: { to, params: { id: projectId }, search: { mode } },
        }))
  const others: Entry[] = [
    ...projects.map(({ id, name }): Entry => ({
      label: name,
      link: { to: '/projects/$id', params: { id }, search: { mode } },
    })),
    { label: frame.projects, link: { to: '/projects' } },
    { label: frame.account, link: { to: '/account' } },
  ]
  return [...found, ...[...pages, ...others].filter(matches)]
}

function Menu({ projectId, onClose }: { projectId: string | null; onClose: () => void }) {
  const { command } = words().frame
  const [text, setText] = useState('')
  const navigate = useNavigate()
  const entries = useEntries(projectId, text.trim())
  return (
    <Dialog title={command.title} onClose={onClose}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          const [first] = entries
          onClose()
          if (first) void navigate(first.link)
        }}
      >
        <Field
          label={command.field}
          value={text}
          onText={setText}
          autoFocus
          autoComplete="off"
          maxLength={128}
        />
        <ul className="grid">
          {entries.map(({ label, link }) => (
            <li key={label + (link.to ?? '')}>
              <Link
                {...link}
                onClick={onClose}
                className="flex min-h-11 items-center rounded-control px-3 wrap-anywhere hover:bg-surface"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </form>
    </Dialog>
  )
}
