// Code with the same colours as in the docs. This file is loaded separately, and until then pages show plain text.
import type { ReactNode } from 'react'
import { toCodeTokens } from '@pazar/words'
import type { CodeTokenKind } from '@pazar/words'

const COLOURS: Record<Exclude<CodeTokenKind, null>, string> = {
  c: 'text-muted',
  s: 'text-ok',
  n: 'text-warn',
  k: 'text-info',
}

export interface ColouredCodeProps {
  text: string
  /** The name or file ending of the programming language. */
  language: string
}

export default function ColouredCode({ text, language }: ColouredCodeProps): ReactNode[] {
  return toCodeTokens(text, language).map(({ kind, text: part }, index) =>
    kind === null ? (
      part
    ) : (
      <span key={index} className={COLOURS[kind]}>
        {part}
      </span>
    ),
  )
}
