// Row 10 of the benchmark table: a PNG of 1024 pixels with the QR code of a link of about 300 characters.
import { encodeQR } from 'qr'
import { toQrModules } from '../../server/src/paylinks/qr-code.ts'
import { toQrPng } from '../../server/src/paylinks/qr-png.ts'
import { toAbsoluteResult, median } from '../measure.ts'
import type { Result } from '../measure.ts'

const ROUNDS = 50
const LINK = `https://pay.example.me/pay?amount=1500&project=tz4a98xxat96iws9zmbrgj3a&data=${'a'.repeat(223)}`

function measureCpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

export async function benchQr(): Promise<Result[]> {
  const drawPng = () => void toQrPng(toQrModules(LINK), 1024)
  const encodeOnly = () => void encodeQR(LINK, 'raw', { ecc: 'medium', encoding: 'byte', border: 4 })
  const ours: number[] = []
  const encodingTimes: number[] = []
  for (let n = 0; n < 10; n += 1) drawPng()
  for (let n = 0; n < ROUNDS; n += 1) {
    ours.push(measureCpuMs(drawPng))
    encodingTimes.push(measureCpuMs(encodeOnly))
  }
  const name = `10 QR PNG at 1024, link of ${LINK.length} characters`
  const note = `encoding alone ${median(encodingTimes).toFixed(2)} ms`
  return [
    toAbsoluteResult({
      name,
      unit: 'ms CPU',
      target: { kind: 'at most', must: null, goal: 1.5 },
      values: ours,
      note,
    }),
  ]
}
