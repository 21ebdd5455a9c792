// Code below a bar with a heading and a copy button.
import { CodeBlock } from './code-block.tsx'
import type { CodeBlockProps } from './code-block.tsx'
import { CopyButton } from './copy-button.tsx'
import { entryWords } from './language.ts'

export interface CodeBoxProps extends CodeBlockProps {
  heading: string
  /** The code contains placeholders. The copy button says that the user has to replace them. */
  isTemplate?: boolean
}

export function CodeBox({ heading, text, label, language, isTemplate = false }: CodeBoxProps) {
  const { copy, copyTemplate } = entryWords().frame
  return (
    <div className="grid min-w-0 rounded-control border border-line bg-surface">
      <div className="flex items-center justify-between gap-3 border-b border-line py-0.5 pr-1 pl-3">
        <span className="min-w-0 font-mono text-xs text-muted wrap-anywhere">{heading}</span>
        <CopyButton
          kind="quiet"
          className="hover:bg-raised"
          text={text}
          label={isTemplate ? copyTemplate : copy}
          what={label}
        />
      </div>
      <CodeBlock bare text={text} label={label} language={language} />
    </div>
  )
}
