// The last live payment that this process stored and the database confirmed. If that payment is missing later, the
// database has lost writes.
export interface LastWrite {
  remember(id: string): void
  find(): string | null
  forget(): void
}

export function createLastWrite(): LastWrite {
  let last: string | null = null
  return {
    remember(id) {
      last = id
    },
    find: () => last,
    forget() {
      last = null
    },
  }
}
