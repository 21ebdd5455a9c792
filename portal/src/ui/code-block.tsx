import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { ChevronDown } from 'lucide-react'
import { classNames } from './class-names.ts'
import type { ColouredCodeProps } from './coloured-code.tsx'
import { entryWords } from './language.ts'

// If the colours cannot be loaded, the code is shown without them.
const ColouredCode = lazy(() => import('./coloured-code.tsx').catch(() => ({ default: PlainCode })))

function PlainCode({ text }: ColouredCodeProps): ReactNode[] {
  return [text]
}

/** Code with more lines is collapsed at first, so that the reader also sees what follows the code. */
const LINES_MAX = 28
/** About as many characters as fit into a line. */
const WRAPPED_CHARS = 60

function countLines(text: string, isWrapped: boolean): number {
  const lines = text.trimEnd().split('\n')
  if (!isWrapped) return lines.length
  return lines.reduce((count, line) => count + Math.max(1, Math.ceil(line.length / WRAPPED_CHARS)), 0)
}

export interface CodeBlockProps {
  text: string
  label: string
  /** If this is set, the text is coloured. Long lines wrap if this is `json` or not set. Otherwise long lines scroll. */
  language?: string | undefined
  /** True inside a box with a border. */
  bare?: boolean
}

/** The code can get the focus, so that the keyboard can scroll the text. */
export function CodeBlock({ text, label, language, bare = false }: CodeBlockProps) {
  const [isUnfolded, setUnfolded] = useState(false)
  const isWrapped = language === undefined || language === 'json'
  const isFolded = !isUnfolded && countLines(text, isWrapped) > LINES_MAX
  return (
    <div className="grid min-w-0">
      <pre
        tabIndex={0}
        role="group"
        aria-label={label}
        className={classNames(
          'overflow-x-auto rounded-control bg-surface p-3 font-mono text-xs',
          !bare && 'border border-line',
          isFolded && 'max-h-93 overflow-y-hidden',
          isWrapped ? 'whitespace-pre-wrap wrap-anywhere' : 'edge-shade leading-5 whitespace-pre',
        )}
      >
        {language ? (
          <Suspense fallback={text}>
            <ColouredCode text={text} language={language} />
          </Suspense>
        ) : (
          text
        )}
      </pre>
      {isFolded && (
        <div className="relative grid border-t border-line before:pointer-events-none before:absolute before:inset-x-0 before:bottom-full before:h-12 before:bg-linear-to-t before:from-surface before:to-transparent">
          <button
            type="button"
            onClick={() => setUnfolded(true)}
            className="flex min-h-11 items-center justify-center gap-2 rounded-control px-4 text-sm font-medium text-accent hover:bg-raised"
          >
            <ChevronDown aria-hidden className="size-4" />
            {entryWords().frame.wholeCode}
            <span className="sr-only"> {label}</span>
          </button>
        </div>
      )}
    </div>
  )
}
