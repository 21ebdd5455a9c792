import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EMPTY_PROJECT, hasNoServerYet, toAddBody, toChangedFields, toUpdateBody } from './project-values.ts'

const values = {
  name: ' A ',
  resultUrl: ' https://r.me ',
  apiUrl: ' https://a.me ',
  testApiUrl: '',
  timeZone: 'Europe/Podgorica',
  requireSignedLinks: true,
  'refund.result': false,
  'dispute.opened': false,
  'dispute.closed': false,
}

test('no time zone is sent if none is chosen', () => {
  assert.equal('timeZone' in toAddBody({ ...values, timeZone: '' }), false)
})

test('a new project requires signed links by default', () => {
  assert.equal(EMPTY_PROJECT.requireSignedLinks, true)
})

test('URLs are sent without outer spaces, and an empty test URL is left out', () => {
  const sent = {
    name: ' A ',
    resultUrl: 'https://r.me',
    apiUrl: 'https://a.me',
    requireSignedLinks: true,
    timeZone: 'Europe/Podgorica',
  }
  assert.deepEqual(toAddBody(values), sent)
  assert.deepEqual(toAddBody({ ...values, testApiUrl: '  ' }), sent)
  assert.deepEqual(toAddBody({ ...values, testApiUrl: ' https://t.me ' }), {
    ...sent,
    testApiUrl: 'https://t.me',
  })
})

test('the request for a new project names payment.result and the chosen events, and has no `events` if none is chosen', () => {
  assert.equal('events' in toAddBody(values), false)
  const { events } = toAddBody({ ...values, 'dispute.opened': true })
  assert.deepEqual(events, ['payment.result', 'dispute.opened'])
})

test('an update has only the changed fields, and null for an emptied test URL', () => {
  assert.deepEqual(toUpdateBody('ab', values, values), { projectId: 'ab' })
  assert.deepEqual(toUpdateBody('ab', values, { ...values, name: 'B' }), { projectId: 'ab', name: 'B' })
  const withTestUrl = { ...values, testApiUrl: 'https://t.me' }
  assert.deepEqual(toUpdateBody('ab', withTestUrl, { ...withTestUrl, testApiUrl: ' ' }), {
    projectId: 'ab',
    testApiUrl: null,
  })
  const allChanged = {
    name: 'B',
    resultUrl: ' https://s.me',
    apiUrl: 'https://b.me ',
    testApiUrl: ' https://u.me',
    requireSignedLinks: false,
    timeZone: 'Europe/London',
    'refund.result': true,
    'dispute.opened': false,
    'dispute.closed': true,
  }
  assert.deepEqual(toChangedFields(values, allChanged), [
    'name',
    'resultUrl',
    'apiUrl',
    'testApiUrl',
    'requireSignedLinks',
    'timeZone',
    'refund.result',
    'dispute.closed',
  ])
  assert.deepEqual(toUpdateBody('ab', values, allChanged), {
    projectId: 'ab',
    name: 'B',
    resultUrl: 'https://s.me',
    apiUrl: 'https://b.me',
    testApiUrl: 'https://u.me',
    requireSignedLinks: false,
    timeZone: 'Europe/London',
    events: ['payment.result', 'refund.result', 'dispute.closed'],
  })
  assert.deepEqual(
    toUpdateBody('ab', allChanged, { ...allChanged, 'refund.result': false, 'dispute.closed': false }),
    {
      projectId: 'ab',
      events: ['payment.result'],
    },
  )
})

test('if every project that the user owns uses pages of the service, these pages are proposed for a new project', () => {
  const toProject = (role: 'owner' | 'developer', isOnServicePages: boolean) => ({
    role,
    isOnServicePages,
  })
  const areProposed = (...projects: ReturnType<typeof toProject>[]) =>
    hasNoServerYet(projects, ({ isOnServicePages }) => isOnServicePages)
  assert.equal(areProposed(), true)
  assert.equal(areProposed(toProject('owner', true)), true)
  assert.equal(areProposed(toProject('developer', false)), true)
  assert.equal(areProposed(toProject('owner', true), toProject('owner', false)), false)
})
