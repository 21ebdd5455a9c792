import { useEffect, useState } from 'react'
import { Check, Copy } from 'lucide-react'
import { words } from '../app/language.ts'
import { Button } from './button.tsx'
import type { ButtonProps } from './button.tsx'

/** Long enough to be read, short enough that the button is itself again when it is next needed. */
const SAYS_COPIED_MS = 2_000

export interface CopyButtonProps extends Omit<ButtonProps, 'onClick'> {
  /** A function where the text has to be fetched first, so that it is never shown. */
  text: string | (() => Promise<string>)
  label?: string
  /** What is copied, for those who do not see where the button stands. */
  what?: string
}

export function CopyButton({ text, label = words().frame.copy, what, ...rest }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SAYS_COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
    setCopied(true)
  }
  const Icon = copied ? Check : Copy
  return (
    <Button
      small
      {...rest}
      icon={<Icon aria-hidden className="size-4 shrink-0" />}
      // Refused by the browser or given up by the person; the text is still there to be marked by hand.
      onClick={() => void copy().catch(() => undefined)}
    >
      <span aria-live="polite">{copied ? words().frame.copied : label}</span>
      {what && <span className="sr-only">{what}</span>}
    </Button>
  )
}
