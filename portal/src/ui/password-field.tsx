import { useState } from 'react'
import { Eye, EyeOff } from 'lucide-react'
import { entryWords } from './language.ts'
import { Field } from './field.tsx'
import type { FieldProps } from './field.tsx'

export function PasswordField(props: Omit<FieldProps, 'type' | 'after'>) {
  const [shown, setShown] = useState(false)
  const { showPassword, hidePassword } = entryWords().entry
  const Icon = shown ? EyeOff : Eye
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="off"
      spellCheck={false}
      after={
        <button
          type="button"
          aria-label={shown ? hidePassword : showPassword}
          onClick={() => setShown(!shown)}
          className="grid size-11 shrink-0 place-items-center rounded-control border border-control bg-raised hover:bg-surface"
        >
          <Icon aria-hidden className="size-5" />
        </button>
      }
    />
  )
}
