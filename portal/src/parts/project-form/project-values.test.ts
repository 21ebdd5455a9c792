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

test('a new project has the time zone of the account unless another was chosen', () => {
  assert.equal('timeZone' in toAddBody({ ...values, timeZone: '' }), false)
})

test('a new project accepts signed links only, unless its owner says otherwise', () => {
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

test('callback events are sent for a new project if some were chosen', () => {
  assert.equal('events' in toAddBody(values), false)
  const { events } = toAddBody({ ...values, 'dispute.opened': true })
  assert.deepEqual(events, ['payment.result', 'dispute.opened'])
})

test('an update has only what was changed; an emptied test URL removes it', () => {
  assert.deepEqual(toUpdateBody('ab', values, values), { projectId: 'ab' })
  assert.deepEqual(toUpdateBody('ab', values, { ...values, name: 'B' }), { projectId: 'ab', name: 'B' })
  const tested = { ...values, testApiUrl: 'https://t.me' }
  assert.deepEqual(toUpdateBody('ab', tested, { ...tested, testApiUrl: ' ' }), {
    projectId: 'ab',
    testApiUrl: null,
  })
  const all = {
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
  assert.deepEqual(toChangedFields(values, all), [
    'name',
    'resultUrl',
    'apiUrl',
    'testApiUrl',
    'requireSignedLinks',
    'timeZone',
    'refund.result',
    'dispute.closed',
  ])
  assert.deepEqual(toUpdateBody('ab', values, all), {
    projectId: 'ab',
    name: 'B',
    resultUrl: 'https://s.me',
    apiUrl: 'https://b.me',
    testApiUrl: 'https://u.me',
    requireSignedLinks: false,
    timeZone: 'Europe/London',
    events: ['payment.result', 'refund.result', 'dispute.closed'],
  })
  assert.deepEqual(toUpdateBody('ab', all, { ...all, 'refund.result': false, 'dispute.closed': false }), {
    projectId: 'ab',
    events: ['payment.result'],
  })
})

test('the service’s own pages are proposed until one of the account’s own projects has URLs of a server', () => {
  const toProject = (role: 'owner' | 'developer', isOnOwnPages: boolean) => ({ role, isOnOwnPages })
  const propose = (...projects: ReturnType<typeof toProject>[]) =>
    hasNoServerYet(projects, ({ isOnOwnPages }) => isOnOwnPages)
  assert.equal(propose(), true)
  assert.equal(propose(toProject('owner', true)), true)
  assert.equal(propose(toProject('developer', false)), true)
  assert.equal(propose(toProject('owner', true), toProject('owner', false)), false)
})
