// Sends the upstream's responses. The script of a payment (scripts.ts) can demand a wrong response or none.
import type { ServerResponse } from 'node:http'
import type { Script } from './scripts.ts'
import type { WirePayment } from './wire.ts'

export function sendJson(res: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value)
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  res.end(body)
}

export function sendText(res: ServerResponse, status: number, type: string, text: string): void {
  res.writeHead(status, { 'content-type': `${type}; charset=utf-8` })
  res.end(text)
}

export function sendScripted(res: ServerResponse, payment: WirePayment, script: Script): void {
  switch (script.answer) {
    case 'payment':
      return sendJson(res, payment.status === 'failed' ? 402 : 201, payment)
    case 'nothing':
      return
    case 'error_500':
      return sendJson(res, 500, { error: 'internal' })
    case 'html_502':
      return sendText(res, 502, 'text/html', '<h1>502 Bad Gateway</h1>')
    case 'garbage':
      return sendText(res, 200, 'application/json', '{"id": "')
    case 'cut_off':
      res.writeHead(201, { 'content-type': 'application/json', 'content-length': 500 })
      res.write(JSON.stringify(payment).slice(0, 20), () => res.destroy())
      return
    case 'other_amount':
      return sendJson(res, 201, { ...payment, amount: `${payment.amount}0` })
    case 'other_currency':
      return sendJson(res, 201, { ...payment, currency: 'XTS' })
    case 'other_id':
      return sendJson(res, 201, { ...payment, id: '00000000-0000-7000-8000-000000000000' })
  }
}
