// Serves the metrics on a separate port, which a firewall can block.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Metrics } from '../lib/metrics.ts'

export interface MetricsServer {
  close(): Promise<void>
}

export async function startMetricsServer(
  metrics: Metrics,
  at: { port: number; host: string },
): Promise<MetricsServer> {
  const server = createServer((req, res) => {
    if (req.method !== 'GET' || req.url !== '/metrics') return void res.writeHead(404).end()
    metrics.text().then(
      (text) => res.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      // The error is not logged, because the scraper sees the 500 and tries again.
      () => res.writeHead(500).end(),
    )
  })
  server.listen(at.port, at.host)
  await once(server, 'listening')
  return {
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
