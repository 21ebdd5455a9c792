// Stands in for the merchants on several ports. Responds to callbacks after HOLD_MS, and never on DEAD_PORT. `/arrivals`
// returns the arrival times of each callback id, and `/received` the number of callbacks.
import { createServer } from 'node:http'

const ports = (process.env['PORTS'] ?? '').split(',').map(Number)
const deadPort = Number(process.env['DEAD_PORT'] ?? 0)
const holdMs = Number(process.env['HOLD_MS'] ?? 0)
let received = 0
const arrivals = new Map<string, number[]>()

function nowMs(): number {
  return performance.timeOrigin + performance.now()
}

for (const port of ports) {
  createServer((req, res) => {
    if (req.url === '/received') return res.end(JSON.stringify({ received }))
    if (req.url === '/arrivals') return res.end(JSON.stringify(Object.fromEntries(arrivals)))
    const id = String(req.headers['webhook-id'] ?? '')
    if (id) arrivals.set(id, [...(arrivals.get(id) ?? []), nowMs()])
    req.resume()
    const respond = () => res.writeHead(200, { 'content-length': '2' }).end('ok')
    req.once('end', () => {
      received += 1
      if (holdMs === 0) respond()
      else setTimeout(respond, holdMs)
    })
    return undefined
  }).listen(port, '127.0.0.1')
}
if (deadPort) createServer(() => undefined).listen(deadPort, '127.0.0.1')

// 50 ms are enough for all servers to listen.
setTimeout(() => console.log('ready'), 50)
