import { classNames } from './class-names.ts'

export interface CodeBlockProps {
  text: string
  label: string
  /** For programs, whose lines mean something; what runs over is scrolled to. */
  keepLines?: boolean
}

/** Read, scrolled and copied as it is; the keyboard can reach it to scroll. */
export function CodeBlock({ text, label, keepLines = false }: CodeBlockProps) {
  return (
    <pre
      tabIndex={0}
      role="group"
      aria-label={label}
      className={classNames(
        'max-h-80 overflow-auto rounded-control border border-line bg-surface p-3 font-mono text-xs',
        keepLines ? 'edge-shade whitespace-pre' : 'whitespace-pre-wrap wrap-anywhere',
      )}
    >
      {text}
    </pre>
  )
}
