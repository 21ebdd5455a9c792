// A small DNS server on a loopback UDP port. It returns A and AAAA records from a table, NXDOMAIN for other names, and
// SERVFAIL for names that a test marks.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { TestContext } from 'node:test'

export interface Zone {
  a?: readonly string[]
  /** Addresses with all eight groups written out, so that this file needs no parser. */
  aaaa?: readonly string[]
  fails?: boolean
}

const TYPE_A = 1
const TYPE_AAAA = 28
const NO_ERROR = 0
const SERVFAIL = 2
const NXDOMAIN = 3

export async function startStubNameServer(t: TestContext, zones: Readonly<Record<string, Zone>>) {
  const socket = createSocket('udp4')
  const queries: string[] = []
  socket.on('message', (query, from) => {
    const question = readQuestion(query)
    queries.push(question.name)
    const zone = zones[question.name]
    const code = zone === undefined ? NXDOMAIN : zone.fails === true ? SERVFAIL : NO_ERROR
    const records =
      question.type === TYPE_A ? (zone?.a ?? []).map(toBytes4) : (zone?.aaaa ?? []).map(toBytes6)
    socket.send(
      writeResponse(query, question, code, code === NO_ERROR ? records : []),
      from.port,
      from.address,
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  return { server: `127.0.0.1:${socket.address().port}`, queries }
}

interface Question {
  name: string
  type: number
  end: number
}

function readQuestion(query: Buffer): Question {
  const labels: string[] = []
  let offset = 12
  for (let size = query[offset] ?? 0; size > 0; size = query[offset] ?? 0) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + size))
    offset += size + 1
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(offset + 1), end: offset + 5 }
}

function writeResponse(query: Buffer, question: Question, code: number, records: Buffer[]): Buffer {
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  const answers = records.map((bytes) => {
    const head = Buffer.from('c00c00000001000000000000', 'hex') // The requested name, class IN, TTL 0.
    head.writeUInt16BE(bytes.length === 4 ? TYPE_A : TYPE_AAAA, 2)
    head.writeUInt16BE(bytes.length, 10)
    return Buffer.concat([head, bytes])
  })
  return Buffer.concat([header, query.subarray(12, question.end), ...answers])
}

function toBytes4(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number))
}

function toBytes6(address: string): Buffer {
  const groups = address.split(':').map((group) => group.padStart(4, '0'))
  return Buffer.from(groups.join(''), 'hex')
}
