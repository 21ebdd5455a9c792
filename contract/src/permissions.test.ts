// The permissions of each role, written a second time, so that none changes by accident.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  MAIL_TOPICS,
  mayGetMails,
  MEMBER_ROLES,
  mayGrant,
  PERMISSIONS,
  roleMay,
  ROLES,
} from './permissions.ts'
import type { Permission } from './permissions.ts'

const PROMISED: Record<Permission, string> = {
  read: 'owner admin developer finance support',
  operate: 'owner admin developer support',
  qr: 'owner admin',
  configure: 'owner admin developer',
  configure_live: 'owner admin',
  live_secret: 'owner admin',
  money: 'owner admin finance',
  members: 'owner admin',
  ownership: 'owner',
}

test('every role has exactly the permissions that were promised', () => {
  for (const permission of Object.keys(PERMISSIONS) as Permission[]) {
    const allowed = ROLES.filter((role) => roleMay(role, permission))
    assert.equal(allowed.join(' '), PROMISED[permission], permission)
  }
})

test('the owner may do everything, everybody may read, and an invitation cannot make an owner', () => {
  assert.ok(Object.keys(PERMISSIONS).every((one) => roleMay('owner', one as Permission)))
  assert.ok(ROLES.every((role) => roleMay(role, 'read')))
  assert.deepEqual(['owner', ...MEMBER_ROLES], ROLES)
})

test('nobody can grant a role that may do more than they may do', () => {
  const granted = ROLES.map((granter) => ROLES.filter((role) => mayGrant(granter, role)).join(' '))
  assert.deepEqual(granted, [
    'owner admin developer finance support',
    'admin developer finance support',
    'developer support',
    'finance',
    'support',
  ])
})

test('mails about security go only to people who may see the live secret', () => {
  const readers = MAIL_TOPICS.map((topic) => ROLES.filter((role) => mayGetMails(role, topic)).join(' '))
  const everyone = ROLES.join(' ')
  assert.deepEqual(readers, [everyone, everyone, 'owner admin'])
})
