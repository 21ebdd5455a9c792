import { useEffect, useState } from 'react'
import { Check, Copy, X } from 'lucide-react'
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
  const [said, setSaid] = useState<'copied' | 'notCopied' | null>(null)
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => setSaid(null), SAYS_COPIED_MS)
    return () => clearTimeout(timer)
  }, [said])

  async function copy(): Promise<void> {
    let wanted: string
    try {
      wanted = typeof text === 'string' ? text : await text()
    } catch {
      // Whoever gives the text has said why there is none, or the person gave up.
      return
    }
    try {
      await navigator.clipboard.writeText(wanted)
      setSaid('copied')
    } catch {
      // A browser may refuse, above all when fetching took long after the press, and offers none without https.
      setSaid('notCopied')
    }
  }
  const Icon = said === 'copied' ? Check : said === 'notCopied' ? X : Copy
  return (
    <Button
      small
      {...rest}
      icon={<Icon aria-hidden className="size-4 shrink-0" />}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{said === null ? label : words().frame[said]}</span>
      {what && <span className="sr-only">{what}</span>}
    </Button>
  )
}
