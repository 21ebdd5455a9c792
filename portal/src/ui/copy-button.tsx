import { useEffect, useState } from 'react'
import { Check, Copy, X } from 'lucide-react'
import { entryWords } from './language.ts'
import { Button } from './button.tsx'
import type { ButtonProps } from './button.tsx'

const RESULT_SHOWN_MS = 2_000

export interface CopyButtonProps extends Omit<ButtonProps, 'onClick'> {
  /** A function if the text has to be fetched first. */
  text: string | (() => Promise<string>)
  label?: string
  /** The name of the copied text. Only screen readers read it out. */
  what?: string
}

export function CopyButton({ text, label = entryWords().frame.copy, what, ...rest }: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'notCopied' | null>(null)
  useEffect(() => {
    if (result === null) return
    const timer = setTimeout(() => setResult(null), RESULT_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [result])

  async function copy(): Promise<void> {
    let value: string
    try {
      value = typeof text === 'string' ? text : await text()
    } catch {
      // The caller has shown the error, or the user dismissed a dialog.
      return
    }
    try {
      await navigator.clipboard.writeText(value)
      setResult('copied')
    } catch {
      // A browser refuses to copy if the page has no HTTPS, or if the fetch took long.
      setResult('notCopied')
    }
  }
  const Icon = result === 'copied' ? Check : result === 'notCopied' ? X : Copy
  return (
    <Button
      small
      {...rest}
      icon={<Icon aria-hidden className="size-4 shrink-0" />}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{result === null ? label : entryWords().frame[result]}</span>
      {what && <span className="sr-only">{what}</span>}
    </Button>
  )
}
