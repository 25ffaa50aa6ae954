import pg from 'pg';

/**
 * Adds completed reports to a database that has one already, each with its purchase, nine answers, nine calls and its
 * record entry. Without triggers on the way.
 */
export async function growDatabase(url: string, reports: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = ['reports', 'report_purchases', 'stage_results', 'provider_calls', 'record_entries'];
    for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
    for (const statement of grown) await client.query(statement, [reports]);
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
    await client.query('analyze');
  } finally {
    await client.end();
  }
}

/** Of the reports that the first statement has added. */
const added = `workflow_id like 'grown/%' and $1::int > 0`;

const grown = [
  `insert into reports (account_id, event_id, event_title, utc_day, workflow_id, lane, simulated, status, seed, event,
     queried_market, prices_at, conclusion, dropouts, created_at, ended_at)
   select account_id, event_id, event_title, date '1001-01-01' + n, 'grown/' || n, lane, simulated, status, seed, '{}',
     queried_market, prices_at, '{}', '[]', created_at, ended_at
   from (select * from reports where status = 'completed' and lane = 'credits' order by id limit 1) as one,
     generate_series(1, $1::int) as n`,
  `insert into report_purchases (id, account_id, state, kind, report_id, lane, credits, created_at)
   select gen_random_uuid(), account_id, 'charged', 'fresh', id, lane, 0, created_at from reports where ${added}`,
  `insert into stage_results (report_id, stage, model, model_id, answer, attempts, latency_ms, created_at)
   select id, asked.stage, model, 'm', '{}', 1, 1, created_at
   from reports,
     unnest(array['opinions', 'opinions', 'opinions', 'opinions', 'cross_review', 'cross_review', 'cross_review',
       'cross_review', 'synthesis'],
       array['claude', 'gpt', 'gemini', 'grok', 'claude', 'gpt', 'gemini', 'grok', 'claude']) as asked (stage, model)
   where ${added}`,
  `insert into provider_calls (report_id, stage, model, model_id, outcome, latency_ms, simulated, called_at)
   select report_id, stage_results.stage, model, model_id, 'answered', 1, simulated, stage_results.created_at
   from stage_results join reports on id = report_id where ${added}`,
  `insert into record_entries (seq, report_id, payload, previous_hash, hash, created_at, version, salt)
   select id + 1000, id, '{}', sha256(int8send(id)), sha256(int8send(id + 1)), ended_at, 1, sha256(int8send(id))
   from reports where ${added}`,
];
