// Why this is long: the tests of the file share one setup.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import { Client, signUp } from '../../../test/client.ts'
import { startTestService } from '../../../test/harness.ts'
import { findRefusedRoles } from '../../../test/roles.ts'
import { insertManyPayments, insertPayments } from '../../../test/transactions.ts'
import type { AccountId } from '../../accounts/account.ts'
import { findAccountByEmail } from '../../accounts/accounts-store.ts'
import { hasActiveSession } from '../../accounts/sessions-store.ts'
import { createApp } from '../../app.ts'
import { ServiceError } from '../../lib/service-error.ts'
import { exportCsv } from './csv.ts'
import { toReference } from '../payment.ts'

const service = await startTestService()
const { app, deps } = service
let owner: Client
let projectId: string

before(async () => {
  owner = await signUp(app)
  projectId = (await owner.addProject()).id
})

function parseCsv(text: string, separator: string): string[][] {
  const lines: string[][] = [[]]
  const cell = new RegExp(`("(?:[^"]|"")*"|[^"${separator}\\r\\n]*)(${separator}|\\r\\n|$)`, 'y')
  while (cell.lastIndex < text.length) {
    const [, value = '', end] = cell.exec(text) ?? assert.fail(`unreadable at ${cell.lastIndex}`)
    lines.at(-1)!.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value)
    if (end === '\r\n') lines.push([])
  }
  return lines.filter((line) => line.length > 0)
}

async function download(query = '', separator = ',', project = projectId): Promise<string[][]> {
  const response = await owner.get(`/portal/api/projects/${project}/transactions.csv?${query}`)
  assert.equal(response.status, 200, response.text)
  assert.equal(response.headers['content-type'], 'text/csv; charset=utf-8; header=present')
  const mode = new URLSearchParams(query).get('mode')
  const name = `transactions-${project}${mode === null ? '' : `-${mode}`}`
  assert.match(
    String(response.headers['content-disposition']),
    new RegExp(`^attachment; filename="${name}-\\d{4}-\\d{2}-\\d{2}\\.csv"$`),
  )
  assert.equal(response.text.charCodeAt(0), 0xfeff)
  return parseCsv(response.text.slice(1), separator)
}

test('headings, separator and decimal mark depend on the language', async () => {
  const at = '2026-07-26T15:04:05.678Z'
  const { id: project } = await owner.addProject()
  const [id] = await insertPayments(deps, project, [
    { customId: 'order-7', data: 'Čaj, žalfija; "1 kg"', amount: 123_456, createdAt: at },
  ])
  const facts = (amount: string, zero: string) => [
    at,
    '2026-07-26 17:04:05',
    id!,
    toReference(id!),
    'live',
    'succeeded',
    amount,
    '123456',
    'EUR',
    'order-7',
    'Čaj, žalfija; "1 kg"',
    '',
    '',
    '2026-07-26T15:04:06.678Z',
    '',
    '',
    '',
    '',
    '',
    '',
    zero,
    amount,
    zero,
    '',
  ]
  const english = await download('lang=en', ',', project)
  assert.deepEqual(english[1], facts('1234.56', '0.00'))
  assert.deepEqual(english[0]!.slice(0, 3), ['Time (UTC)', 'Local time (Europe/Podgorica)', 'Transaction ID'])
  assert.deepEqual(english[0]!.slice(9, 11), ['Order ID', 'Description'])
  const montenegrin = await download('lang=cnr', ';', project)
  assert.deepEqual(montenegrin[0]!.slice(9, 11), ['Broj narudžbe', 'Opis'])
  assert.deepEqual(montenegrin[1], facts('1234,56', '0,00'))
  assert.deepEqual(montenegrin[0]!.slice(0, 3), [
    'Vrijeme (UTC)',
    'Lokalno vrijeme (Europe/Podgorica)',
    'ID transakcije',
  ])
})

test('the account’s language and time zone are used by default', async () => {
  const person = await signUp(app)
  const { id } = await person.addProject()
  await insertPayments(deps, id, [{ createdAt: '2026-07-26T15:04:05.678Z' }])
  await person.post('/portal/api/account', { locale: 'cnr', timeZone: 'America/New_York' })
  const response = await person.get(`/portal/api/projects/${id}/transactions.csv`)
  assert.ok(response.text.includes(';2026-07-26 11:04:05;'))
})

test('customId and data cannot become formulas in a spreadsheet', async () => {
  const { id: project } = await owner.addProject()
  const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '=HYPERLINK("http://x";"y")', '-2+3+cmd|" /C calc"!A0']
  await insertPayments(
    deps,
    project,
    formulas.map((text) => ({ customId: text, data: `${text}\n=2` })),
  )
  await insertPayments(deps, project, [{ data: '\t=1' }, { data: '\r=1' }])
  for (const [lang, separator] of [
    ['en', ','],
    ['cnr', ';'],
  ] as const) {
    const lines = await download(`lang=${lang}`, separator, project)
    assert.equal(lines.length, 9)
    for (const cell of lines.flat()) assert.doesNotMatch(cell, /^[=+\-@\t\r]/)
    assert.deepEqual(
      new Set(lines.slice(1, 9).map((line) => line[9])),
      new Set(['', ...formulas.map((text) => `'${text}`)]),
    )
  }
})

test('a file of many parts has every payment once, newest first, even with two modes and equal times', async () => {
  const person = await signUp(app)
  const { id: project } = await person.addProject()
  await insertManyPayments(deps, project, 1_900)
  const ofSameTime = Array.from({ length: 300 }, (_, n) => ({
    createdAt: '2026-01-01T00:00:00.123456Z',
    mode: n % 2 === 0 ? ('live' as const) : ('test' as const),
  }))
  await insertPayments(deps, project, ofSameTime)
  const statementsBefore = deps.db.statementCount()
  const response = await person.get(`/portal/api/projects/${project}/transactions.csv?lang=en`)
  const lines = parseCsv(response.text.slice(1), ',').slice(1)
  assert.equal(lines.length, 2_200)
  assert.equal(new Set(lines.map((line) => line[2])).size, 2_200)
  const times = lines.map((line) => line[0]!)
  assert.deepEqual(times, times.toSorted().toReversed())
  // The session, the project, the plan and three parts of up to a thousand rows take six statements. Before the second
  // and the third part, session and project are checked again, which makes ten.
  assert.equal(deps.db.statementCount() - statementsBefore, 10)
  const reversed = await person.get(`/portal/api/projects/${project}/transactions.csv?lang=en&order=oldest`)
  const idsOf = (text: string) =>
    parseCsv(text.slice(1), ',')
      .slice(1)
      .map((line) => line[2])
  assert.deepEqual(idsOf(reversed.text), idsOf(response.text).toReversed())
})

test('a file has all its rows even if new payments raise the number of matches above 10,000 during the download', async () => {
  const person = await signUp(app)
  const { id: project } = await person.addProject()
  await insertManyPayments(deps, project, 9_999)
  const account = (await findAccountByEmail(deps.db, person.email))!
  const options = { projectId: project, filters: { q: 'order-' }, locale: 'en' as const }
  const parts = await exportCsv(deps, account, options, async () => true)
  // In the index of order IDs, these payments come before the others.
  const newPayments = Array.from({ length: 2_000 }, (_, n) => ({ customId: `order-0${n}` }))
  let file = ''
  for await (const part of parts) {
    const isFirst = file === ''
    file += part
    if (isFirst) await insertPayments(deps, project, newPayments)
  }
  const found = new Set(parseCsv(file.slice(1), ',').map((line) => line[9]))
  for (let n = 1; n <= 9_999; n += 1) assert.ok(found.has(`order-${n}`), `order-${n}`)
})

test('the file has exactly the rows that the list has with the same filters', async () => {
  const { id: project } = await owner.addProject()
  const ids = await insertPayments(deps, project, [
    { customId: 'a-1', data: 'x', state: 'failed', createdAt: '2026-03-01T00:00:00Z' },
    { customId: 'a-1', data: 'x', createdAt: '2026-03-02T00:00:00Z' },
    { customId: 'a-2', mode: 'test', createdAt: '2026-03-03T00:00:00Z' },
    { customId: 'b-1', state: 'expired', createdAt: '2026-03-04T00:00:00Z' },
  ])
  const filters = [
    { mode: 'test' },
    { state: 'failed' },
    { customId: 'a-1' },
    { q: 'a-' },
    { q: 'x', state: 'succeeded' },
    { q: ids[3]! },
    { from: '2026-03-02T00:00:00Z', to: '2026-03-04T00:00:00Z' },
    { q: 'nobody' },
    { order: 'oldest' },
    { q: 'a-', order: 'oldest' },
    {},
  ]
  for (const filter of filters) {
    const query = new URLSearchParams({ ...filter, lang: 'en' }).toString()
    const listed = await owner.post('/sdk/transactions/list', { projectId: project, ...filter })
    const shown = listed.json<{ items: { id: string }[] }>().items.map(({ id }) => id)
    const lines = await download(query, ',', project)
    assert.deepEqual(
      lines.slice(1).map((line) => line[2]),
      shown,
      query,
    )
  }
})

test('if the database fails during the download, the download is aborted', async () => {
  const person = await signUp(app)
  const { id: project } = await person.addProject()
  await insertManyPayments(deps, project, 2_200)
  let partCount = 0
  const db: typeof deps.db = {
    ...deps.db,
    query: (what, values) => {
      if (what.name.startsWith('list.page') && ++partCount === 2) throw new ServiceError('unavailable')
      return deps.db.query(what, values)
    },
  }
  const failing = await createApp({ ...deps, db })
  try {
    const origin = await failing.listen({ host: '127.0.0.1', port: 0 })
    const cookie = [...person.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(`${origin}/portal/api/projects/${project}/transactions.csv`, {
      headers: { cookie },
    })
    assert.equal(response.status, 200)
    await assert.rejects(response.text())
    assert.equal(partCount, 2)
  } finally {
    await failing.close()
  }
})

test('if a person is removed, demoted or signed out during a download, the download is aborted', async () => {
  const { id: project } = await owner.addProject()
  await insertManyPayments(deps, project, 2_200)
  const ends = {
    removed: 'delete from project_members where account_id = $1',
    demoted: "update project_members set role = 'support' where account_id = $1",
    'signed out': 'delete from sessions where account_id = $1',
  }
  for (const [caseName, end] of Object.entries(ends)) {
    const member = await signUp(app)
    const [account] = await rows<{ id: AccountId }>(
      deps.db,
      `insert into project_members (project_id, account_id, role, mails)
       select $1, id, 'finance', '{}' from accounts where email = $2 returning account_id as id`,
      [project, member.email],
    )
    const [session] = await rows<{ id: string }>(deps.db, 'select id from sessions where account_id = $1', [
      account!.id,
    ])
    const person = (await findAccountByEmail(deps.db, member.email))!
    const options = { projectId: project, filters: {}, locale: 'en' as const }
    const parts = await exportCsv(deps, person, options, () =>
      hasActiveSession(deps.db, person.id, session!.id),
    )
    let received = 0
    await assert.rejects(async () => {
      for await (const part of parts) {
        received += part.length > 0 ? 1 : 0
        if (received === 2) await rows(deps.db, end, [account!.id])
      }
    }, caseName)
    assert.equal(received, 2, `${caseName}: only the headings and the first part arrive`)
  }
})

test('an invalid filter gets a 400 before any part of the file is sent', async () => {
  for (const query of [
    'state=paid',
    'state=failed&state=expired',
    'page=1',
    'from=yesterday',
    'q=',
    'customId=',
  ]) {
    const response = await owner.get(`/portal/api/projects/${projectId}/transactions.csv?${query}`)
    assert.equal(response.code, 'invalid_request', query)
    assert.equal(response.headers['content-disposition'], undefined)
  }
})

test('payments cannot be exported by another owner or without a session', async () => {
  const url = `/portal/api/projects/${projectId}/transactions.csv`
  assert.equal((await (await signUp(app)).get(url)).code, 'not_found')
  assert.equal((await new Client(app).get(url)).code, 'unauthenticated')
})

test('only the owner, admins and finance can download the file', async () => {
  const url = `/portal/api/projects/${projectId}/transactions.csv`
  assert.equal(await findRefusedRoles(service, projectId, (one) => one.get(url)), 'developer support')
})
