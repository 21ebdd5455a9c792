// The failover trial (`npm run ha`) changes the sample configurations in deploy/ and runs HAProxy and nginx with them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsEtcdV2, replaceAll, toHaproxyConfig, toNginxConfig } from './config-files.ts'

const NODE = { name: 'db1', postgres: 1, restApi: 2, postgresProxy: 11, restApiProxy: 12, etcdProxy: 13 }
const NODES = [NODE, { ...NODE, name: 'db2', postgresProxy: 21, restApiProxy: 22 }]

test('the configuration of HAProxy is the database part of the sample, with or without shutdown-sessions', () => {
  const config = toHaproxyConfig(5000, NODES, true)
  assert.match(config, /bind 127\.0\.0\.1:5000\n/)
  assert.match(config, / {2}server db1 127\.0\.0\.1:11 port 12\n {2}server db2 127\.0\.0\.1:21 port 22\n/)
  assert.match(config, /default-server check .* on-marked-down shutdown-sessions\n/)
  assert.doesNotMatch(config, /frontend|ssl|10\.0\.0\./)
  assert.doesNotMatch(toHaproxyConfig(5000, NODES, false), /on-marked-down/)
})

test('the configuration of nginx is the sample with the replicas of this machine and without TLS', () => {
  const config = toNginxConfig('/tmp/trial', 6000, [3001, 3002])
  assert.match(config, /listen 127\.0\.0\.1:6000 default_server;/)
  assert.match(config, /server 127\.0\.0\.1:3001 max_fails=1 fail_timeout=5s;\n.*127\.0\.0\.1:3002 /)
  assert.doesNotMatch(config, /ssl|listen 80|\[::\]|web:3000|\/var\/log/)
})

test('a sample without the expected line is refused', () => {
  assert.throws(
    () => replaceAll('listen 80;', [[/listen 81/, 'listen 82']]),
    /The sample has no \/listen 81\//,
  )
})

test('Patroni before 3.1 uses the version 2 API of etcd', () => {
  assert.equal(needsEtcdV2('patroni 3.0.2\n'), true)
  assert.equal(needsEtcdV2('patroni 2.1.7\n'), true)
  assert.equal(needsEtcdV2('patroni 3.1.0\n'), false)
  assert.equal(needsEtcdV2('patroni 4.0.4\n'), false)
})
