import { useState } from 'react'
import type { FormEvent } from 'react'

/** The first invalid field, else the error of the whole form, which is in the form or beside it. */
function focusError(form: HTMLFormElement): void {
  const invalid = form.querySelector<HTMLElement>('[aria-invalid="true"]')
  if (invalid) return invalid.focus()
  // After Enter in a field, the next thing typed belongs there. The error is announced.
  if (document.activeElement?.matches('input, select, textarea')) return
  for (const place of [form, form.parentElement]) {
    const error = place?.querySelector<HTMLElement>('[data-form-error]')
    if (error) return error.focus()
  }
}

/** One submit at a time, with its error, which gets the focus. */
export function useForm(send: () => Promise<void>) {
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  async function run(form: HTMLFormElement): Promise<void> {
    setBusy(true)
    setError(null)
    try {
      await send()
    } catch (thrown) {
      setError(thrown)
      requestAnimationFrame(() => focusError(form))
    } finally {
      setBusy(false)
    }
  }
  return {
    error,
    busy,
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      if (!busy) void run(event.currentTarget)
    },
  }
}
