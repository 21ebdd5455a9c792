import { useState } from 'react'
import type { FormEvent } from 'react'

/** One submit at a time, with its error, and the focus on the first invalid field. */
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
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
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
