// Serves the app on a loopback port in the test's own process. The test can change the app's dependencies.
import { after } from 'node:test'
import { createApp } from '../../src/app.ts'
import type { Deps } from '../../src/wire.ts'

export async function serve(deps: Deps, port = 0): Promise<string> {
  const app = await createApp(deps)
  // A payer's keep-alive connection must not delay the end of the test.
  after(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  await app.listen({ port, host: '127.0.0.1' })
  const address = app.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}
