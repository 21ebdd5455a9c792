// A floor (minimal work to compare with) of the benchmark “drain”: POST requests in a plain undici loop, without a
// database.
import { Pool } from 'undici'

export async function postRaw(
  origin: string,
  count: number,
  concurrency: number,
  body: string,
): Promise<number> {
  const pool = new Pool(origin, { connections: concurrency })
  let remaining = count
  const worker = async () => {
    while (remaining > 0) {
      remaining -= 1
      const response = await pool.request({
        method: 'POST',
        path: '/',
        body,
        headers: { 'content-type': 'application/json' },
      })
      await response.body.dump()
    }
  }
  const startedMs = performance.now()
  await Promise.all(Array.from({ length: concurrency }, worker))
  const rate = count / ((performance.now() - startedMs) / 1000)
  await pool.close()
  return rate
}
