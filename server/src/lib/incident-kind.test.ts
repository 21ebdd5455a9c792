import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { INCIDENT_KINDS } from './incident-kind.ts'

test('the section on incidents in docs/operate.md names every kind of incident', () => {
  const text = readFileSync(path.join(import.meta.dirname, '../../../docs/operate.md'), 'utf8')
  const table = text.slice(text.indexOf('\n## Incidents\n'), text.indexOf('\n## Upgrade and rollback\n'))
  const named = [...table.matchAll(/`([a-z]+(?:_[a-z]+)*)`(?=[^|\n]*\|)/g)].map(([, name]) => name)
  assert.deepEqual(
    INCIDENT_KINDS.filter((kind) => !named.includes(kind)),
    [],
  )
})
