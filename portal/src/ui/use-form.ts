import { useState } from 'react'
import type { FormEvent } from 'react'

/** Focuses the first invalid field. If there is none, focuses the error notice, which can be outside the form. */
function focusError(form: HTMLFormElement): void {
  const invalid = form.querySelector<HTMLElement>('[aria-invalid="true"]')
  // A field in a closed section cannot be seen or focused.
  invalid?.closest('details')?.setAttribute('open', '')
  if (invalid) return invalid.focus()
  // After Enter in a field, the focus stays there, so that the person can continue to type.
  if (document.activeElement?.matches('input, select, textarea')) return
  for (const element of [form, form.parentElement]) {
    const error = element?.querySelector<HTMLElement>('[data-form-error]')
    if (error) return error.focus()
  }
}

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
