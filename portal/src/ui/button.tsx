import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { LoaderCircle } from 'lucide-react'
import { classNames } from './class-names.ts'

export type ButtonKind = 'main' | 'second' | 'quiet' | 'danger' | 'confirm-danger'

const KINDS: Record<ButtonKind, string> = {
  main: 'bg-accent text-on-accent border-transparent hover:brightness-110',
  second: 'bg-raised text-ink border-control hover:bg-surface',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-surface',
  danger: 'bg-raised text-error border-error hover:bg-error-bg',
  'confirm-danger': 'bg-error text-background border-transparent hover:brightness-110',
}

export function buttonClass(kind: ButtonKind = 'second', small = false): string {
  return classNames(
    'inline-flex items-center justify-center gap-2 rounded-button border font-medium text-center no-underline',
    'disabled:opacity-60 aria-disabled:opacity-60 transition-colors duration-150 max-w-full',
    small ? 'min-h-9 px-3 py-1 text-sm' : 'min-h-11 px-4 py-2 text-base',
    KINDS[kind],
  )
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind
  small?: boolean
  busy?: boolean
  icon?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

export function Button({ kind, small, busy, icon, children, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      className={classNames(buttonClass(kind, small), className)}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      {busy ? <LoaderCircle aria-hidden className="size-4 animate-spin" /> : icon}
      {children}
    </button>
  )
}
