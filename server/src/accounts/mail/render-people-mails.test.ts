// Mails about second factors, transfers of ownership and invitations.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOCALES } from '@pazar/words'
import type { StoredMail } from './mail.ts'
import { renderMail } from './render-mail.ts'

const sender = { baseUrl: 'https://pay.example.me', operatorName: 'Pazar', supportUrl: null }
const TOKEN = 'T'.repeat(43)
const at = '2026-07-26T15:04:05.000Z'
const dueAt = '2026-07-27T16:05:06.000Z'
const timeZone = 'Europe/Podgorica'
const client = { ip: '2001:db8::1', userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/130.0' }
const people = { reader: 'member', from: 'a@x.me', to: 'b@x.me' } as const
const transfer = { at, timeZone, project: 'Knjižara', projectId: 'tz4a98', ...people }

const MAILS: [mail: StoredMail, page: string, facts: string[], absent: string[]][] = [
  [
    { kind: 'factor_changed', at, timeZone, ...client, change: 'passkey_added', name: 'Laptop' },
    'account',
    ['17:04', 'Laptop', client.ip],
    [],
  ],
  [
    { kind: 'factor_changed', at, timeZone, ...client, change: 'passkey_refused', name: 'Laptop' },
    'account/security',
    ['17:04', 'Laptop', client.ip],
    [],
  ],
  [
    { kind: 'factor_reset', stage: 'requested', at, dueAt, timeZone },
    'account/security',
    ['18:05'],
    ['17:04'],
  ],
  [
    { kind: 'factor_reset', stage: 'done', at, dueAt: null, timeZone },
    'account/security',
    ['17:04'],
    ['18:05'],
  ],
  [
    { kind: 'ownership_transfer', stage: 'accepted', ...transfer, dueAt, ...client },
    'projects/tz4a98/members',
    ['Knjižara', 'a@x.me', 'b@x.me', '18:05'],
    [],
  ],
  [
    { kind: 'ownership_transfer', stage: 'expired', ...transfer, dueAt: null },
    'projects/tz4a98/members',
    ['Knjižara', 'b@x.me'],
    ['18:05', client.ip],
  ],
  [
    { kind: 'project_invitation', project: 'Knjižara', by: 'a@x.me', role: 'finance' },
    `invitation#token=${TOKEN}`,
    ['Knjižara', 'a@x.me'],
    [],
  ],
  [
    { kind: 'project_invitation', project: 'Knjižara', by: null, role: 'finance' },
    `invitation#token=${TOKEN}`,
    ['Knjižara'],
    ['a@x.me', 'null'],
  ],
]

for (const locale of LOCALES)
  for (const [mail, page, facts, absent] of MAILS)
    test(`${locale}: ${mail.kind}${'stage' in mail ? ` (${mail.stage})` : ''} links to its page and contains the expected facts`, () => {
      const { subject, text, html } = renderMail(sender, locale, mail, TOKEN)
      const link = `https://pay.example.me/${locale}/${page}`
      assert.ok(text.split('\n').includes(link), text)
      assert.ok(html.includes(`href="${link}"`), html)
      for (const fact of facts) assert.ok(text.includes(fact), `${fact} in ${text}`)
      for (const fact of absent) assert.ok(!text.includes(fact), `${fact} in ${text}`)
      for (const form of [subject, text, html]) assert.doesNotMatch(form, /undefined|\bnull\b|\[object|NaN/)
    })

for (const locale of LOCALES)
  test(`${locale}: the mail about an offered transfer does not contain the reader's own address`, () => {
    const offer = { kind: 'ownership_transfer', stage: 'offered', ...transfer, dueAt: null } as const
    const toText = (reader: 'owner' | 'receiver' | 'member') =>
      renderMail(sender, locale, { ...offer, reader }, null).text
    assert.ok(toText('owner').includes('b@x.me') && !toText('owner').includes('a@x.me'))
    assert.ok(toText('receiver').includes('a@x.me') && !toText('receiver').includes('b@x.me'))
    assert.ok(toText('member').includes('a@x.me') && toText('member').includes('b@x.me'))
  })

for (const locale of LOCALES)
  test(`${locale}: the mail about a changed role names who changed it, but not the IP address`, () => {
    const change = { change: 'role', role: 'finance', by: 'a@x.me' } as const
    const mail: StoredMail = { kind: 'membership_changed', at, timeZone, ...client, project: 'X', ...change }
    const { text, html } = renderMail(sender, locale, mail, null)
    assert.ok(text.includes('a@x.me') && text.includes('17:04'), text)
    for (const form of [text, html]) assert.ok(!form.includes(client.ip) && !form.includes('Firefox'))
  })

test('an invitation whose link is deleted has no button', () => {
  const mail: StoredMail = { kind: 'project_invitation', project: 'X', by: 'a@x.me', role: 'support' }
  assert.ok(!renderMail(sender, 'en', mail, null).html.includes('<a '))
})

for (const locale of LOCALES)
  test(`${locale}: a reader who cannot open a page gets no button to it`, () => {
    const person = { at, timeZone, ...client, project: 'Knjižara', projectId: 'tz4a98', member: 'b@x.me' }
    const change = { kind: 'member_changed', ...person, role: 'support' } as const
    const outage = { at, timeZone, project: 'Knjižara', projectId: 'tz4a98', count: 2, isOperator: true }
    const failure = { ...outage, cause: 'No response.', fix: 'Start it.' }
    const linksOf = (mail: StoredMail) =>
      renderMail(sender, locale, mail, null)
        .text.split('\n')
        .filter((line) => line.startsWith(sender.baseUrl))
    const project = `https://pay.example.me/${locale}/projects/tz4a98`
    assert.deepEqual(linksOf({ ...change, change: 'left' }), [])
    assert.deepEqual(linksOf({ ...change, change: 'joined' }), [project])
    assert.deepEqual(linksOf({ ...change, change: 'left', by: 'b@x.me' }), [`${project}/members`])
    const renamed = { kind: 'member_email_changed', ...person, formerEmail: 'a@x.me' } as const
    assert.deepEqual(linksOf(renamed), [project])
    assert.deepEqual(linksOf({ ...renamed, by: 'b@x.me' }), [`${project}/members`])
    assert.deepEqual(linksOf({ kind: 'deliveries_failing', ...failure, since: at }), [])
    assert.deepEqual(linksOf({ kind: 'deliveries_exhausted', ...failure }), [])
    assert.deepEqual(linksOf({ kind: 'deliveries_healed', ...outage, givenUp: 1 }), [])
  })
