import { useState } from 'react'
import type { FormEvent } from 'react'

/** One submit at a time, its refusal kept beside the form, and the first wrong field focused. */
export function useForm(send: () => Promise<void>) {
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  async function run(form: HTMLFormElement): Promise<void> {
    setBusy(true)
    setError(null)
    try {
      await send()
    } catch (refusal) {
      setError(refusal)
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
