// The one row about this installation.
import type { Queryable } from './pool.ts'
import { statement } from './pool.ts'

export interface Installation {
  id: string
}

const READ = statement('installation.read', 'select id from installation')

export async function readInstallation(db: Queryable): Promise<Installation> {
  const [row] = await db.query<Installation>(READ)
  return row!
}
