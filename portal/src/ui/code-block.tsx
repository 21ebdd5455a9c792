import { classNames } from './class-names.ts'

export interface CodeBlockProps {
  text: string
  label: string
  /** For program code: long lines scroll instead of wrapping. */
  keepLines?: boolean | undefined
  /** True inside a box that has a border already. */
  bare?: boolean
}

/** Text to read and copy; focusable, so that the keyboard can scroll it. */
export function CodeBlock({ text, label, keepLines = false, bare = false }: CodeBlockProps) {
  return (
    <pre
      tabIndex={0}
      role="group"
      aria-label={label}
      className={classNames(
        'max-h-80 overflow-auto rounded-control bg-surface p-3 font-mono text-xs',
        !bare && 'border border-line',
        keepLines ? 'edge-shade whitespace-pre' : 'whitespace-pre-wrap wrap-anywhere',
      )}
    >
      {text}
    </pre>
  )
}
