// Finds the roles that a route refuses, by sending its request as a member in each role.
import { MEMBER_ROLES } from '@pazar/contract'
import type { MemberRole } from '@pazar/contract'
import { rows } from './accounts.ts'
import { signUp } from './client.ts'
import type { Client } from './client.ts'
import type { TestService } from './harness.ts'

export async function findRefusedRoles(
  { app, deps }: Pick<TestService, 'app' | 'deps'>,
  projectId: string,
  send: (member: Client) => Promise<{ code: string }>,
): Promise<string> {
  const member = await signUp(app)
  const refused: MemberRole[] = []
  for (const role of MEMBER_ROLES) {
    await rows(
      deps.db,
      `insert into project_members (project_id, account_id, role, mails)
       select $1, id, $2, '{}' from accounts where email = $3
       on conflict (project_id, account_id) do update set role = excluded.role`,
      [projectId, role, member.email],
    )
    if ((await send(member)).code === 'forbidden_role') refused.push(role)
  }
  return refused.join(' ')
}
