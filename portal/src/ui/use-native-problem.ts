// The problem that the browser finds with a field when its form is sent. The browser would show it in a bubble, in its own
// language and style. Here it is shown below the field, like the errors of the service, until the field is changed.
import { useState } from 'react'
import type { FormEvent } from 'react'
import { entryWords } from './language.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

function toProblem({ validity, type }: Control, missing?: string): string {
  const { fields } = entryWords()
  if (validity.valueMissing || validity.patternMismatch) return missing ?? fields.required
  if (validity.typeMismatch) return type === 'email' ? fields.invalid_email : fields.url_malformed
  return fields.invalid
}

/** `missing` is the problem of an empty field, if the general sentence is not enough. */
export function useNativeProblem(missing?: string) {
  const [problem, setProblem] = useState<string | null>(null)
  return {
    problem,
    clear: () => setProblem(null),
    onInvalid: (event: FormEvent<Control>) => {
      event.preventDefault()
      const control = event.currentTarget
      setProblem(toProblem(control, missing))
      const first = control.form?.querySelector('input:invalid, select:invalid, textarea:invalid')
      if (first === control) control.focus()
    },
  }
}
