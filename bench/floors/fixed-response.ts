// The floor (minimal work to compare with) of the CPU time that a status check uses: a bare `node:http` server that sends
// a fixed response.
import { createServer } from 'node:http'

const text = process.env['RESPONSE'] ?? ''
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(text),
}

createServer((req, res) => {
  req.resume()
  req.once('end', () => res.writeHead(200, headers).end(text))
}).listen(Number(process.env['PORT']), '127.0.0.1', () => console.log('ready'))
