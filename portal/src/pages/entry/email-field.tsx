import { entryWords } from '../../ui/language.ts'
import { Field } from '../../ui/field.tsx'
import type { useEmailDraft } from './use-email-draft.ts'

export interface EmailFieldProps {
  draft: ReturnType<typeof useEmailDraft>
  error?: string | undefined
}

export function EmailField({ draft, error }: EmailFieldProps) {
  return (
    <Field
      label={entryWords().entry.email}
      value={draft.values.email}
      onText={(email) => draft.set({ email })}
      type="email"
      autoComplete="username"
      required
      autoFocus
      error={error}
    />
  )
}
