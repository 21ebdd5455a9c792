// If the browser's own check refuses a field, the reason is shown below the field, in the language of the page. The
// browser itself would show a bubble in the language of the browser.
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

/** `missing` replaces the general sentence for a field that is empty or does not match its pattern. */
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
