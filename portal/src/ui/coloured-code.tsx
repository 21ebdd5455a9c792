// Code with the colours of the docs. Pages show plain text until this file is loaded.
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
