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

test('every role has exactly its promised permissions', () => {
  for (const permission of Object.keys(PERMISSIONS) as Permission[]) {
    const allowed = ROLES.filter((role) => roleMay(role, permission))
    assert.equal(allowed.join(' '), PROMISED[permission], permission)
  }
})

test('the owner has every permission, and every role may read', () => {
  assert.ok(Object.keys(PERMISSIONS).every((one) => roleMay('owner', one as Permission)))
  assert.ok(ROLES.every((role) => roleMay(role, 'read')))
  assert.deepEqual(['owner', ...MEMBER_ROLES], ROLES)
})

test('nobody can grant a role with more permissions than their own', () => {
  const granted = ROLES.map((granter) => ROLES.filter((role) => mayGrant(granter, role)).join(' '))
  assert.deepEqual(granted, [
    'owner admin developer finance support',
    'admin developer finance support',
    'developer support',
    'finance',
    'support',
  ])
})

test('only owners and admins may get mails about security', () => {
  const readers = MAIL_TOPICS.map((topic) => ROLES.filter((role) => mayGetMails(role, topic)).join(' '))
  const everyone = ROLES.join(' ')
  assert.deepEqual(readers, [everyone, everyone, 'owner admin'])
})
