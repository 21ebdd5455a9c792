import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainMissing, findMissing } from './programs.ts'

test('a missing program is named with the command that installs it', () => {
  const found = {
    etcd: null,
    patroni: null,
    haproxy: '/usr/sbin/haproxy',
    nginx: '/usr/sbin/nginx',
    pgbouncer: null,
    postgresDir: '/x',
  }
  const missing = findMissing(found, false)
  assert.deepEqual(missing, ['etcd', 'patroni'])
  assert.deepEqual(findMissing(found, true), ['etcd', 'patroni', 'pgbouncer'])
  assert.match(
    explainMissing(missing, true),
    /Missing: etcd, Patroni\. .*apt-get install etcd-server patroni /,
  )
  assert.match(explainMissing(missing, false), /it needs root/)
})
