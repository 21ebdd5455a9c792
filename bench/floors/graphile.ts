// A floor (minimal work to compare with) of the benchmark “drain”: graphile-worker with batches. Each job sends one
// POST and writes one attempt row.
import { Logger, runMigrations, run } from 'graphile-worker'
import pg from 'pg'
import { Pool } from 'undici'

export async function drainGraphile(
  databaseUrl: string,
  origin: string,
  count: number,
  concurrency: number,
  body: string,
): Promise<number> {
  const pgPool = new pg.Pool({ connectionString: databaseUrl, max: 16 })
  // Idle connections may fail at the end of the bench. Without a listener for this error, the process would end.
  pgPool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined))
  await runMigrations({ pgPool })
  await pgPool.query(
    'create table if not exists graphile_attempts (id bigserial primary key, job text not null, at timestamptz not null default now(), status integer not null)',
  )
  await pgPool.query(
    `select graphile_worker.add_jobs(array(select row('post', json_build_object('body', $1::text), null, null, null, null, null, null)::graphile_worker.job_spec
       from generate_series(1, $2::int)))`,
    [body, count],
  )
  const http = new Pool(origin, { connections: concurrency })
  let done = 0
  const { promise: finished, resolve } = Promise.withResolvers<void>()
  const startedMs = performance.now()
  const runner = await run({
    pgPool,
    preset: {
      worker: {
        concurrentJobs: concurrency,
        localQueue: { size: 500, refetchDelay: { durationMs: 10 } },
        completeJobBatchDelay: 2,
        failJobBatchDelay: 2,
        pollInterval: 100,
      },
    },
    noHandleSignals: true,
    // Nothing is logged, because one log line per job would slow the measured work down.
    logger: new Logger(() => () => undefined),
    taskList: {
      async post(payload, helpers) {
        const response = await http.request({
          method: 'POST',
          path: '/',
          body: (payload as { body: string }).body,
          headers: { 'content-type': 'application/json' },
        })
        await response.body.dump()
        await pgPool.query({
          name: 'attempt',
          text: 'insert into graphile_attempts (job, status) values ($1, $2)',
          values: [helpers.job.id, response.statusCode],
        })
        done += 1
        if (done === count) resolve()
      },
    },
  })
  await finished
  const rate = count / ((performance.now() - startedMs) / 1000)
  await runner.stop()
  await http.close()
  await pgPool.end()
  return rate
}
