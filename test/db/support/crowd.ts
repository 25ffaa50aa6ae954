import pg from 'pg';

/** How many rows of other accounts each table has. */
const crowdRows = 100_000;

/**
 * Fills every table that grows with rows of other accounts, as a year of sales would: each account with one report, its
 * purchase, ledger, calls, grade and so on. Without triggers, foreign keys and indexes on the way, and in a database of
 * its own: the rows need not be a consistent history.
 */
export async function insertCrowd(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: keys } = await client.query(
    `select conrelid::regclass as of, quote_ident(conname) as name from pg_constraint
     where contype = 'f' and connamespace in ('public'::regnamespace, 'auth'::regnamespace)`,
  );
  for (const { of, name } of keys) await client.query(`alter table ${of} drop constraint ${name}`);
  // Built after the rows, an index costs a part of what it costs row by row.
  const { rows: indexes } = await client.query(
    `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = any ($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`,
    [Object.keys(crowd)],
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  for (const [table, [columns, values]] of Object.entries(crowd)) {
    await client.query(`alter table ${table} disable trigger user`);
    // Otherwise it could count the rows again while a test deletes them, and plan for a table that is nearly empty.
    await client.query(`alter table ${table} set (autovacuum_enabled = false)`);
    await client.query(
      `insert into ${table} (${columns}) overriding system value
       select ${values}
       from (select n, lpad(to_hex(n), 32, '0')::uuid as id, decode(lpad(to_hex(n), 64, '0'), 'hex') as bytes,
           n + 1000000 as later, timestamptz '2031-03-05T11:00Z' - (${crowdRows} - n) * interval '80 seconds' as past
         from generate_series(1, ${crowdRows}) as n) as row`,
    );
    await client.query(`alter table ${table} enable trigger user`);
  }
  for (const { definition } of indexes) await client.query(definition);
  // The ids of later rows are higher than those of the crowd.
  await client.query(
    `select setval(format('%s.%I', schemaname, sequencename)::regclass, 3000000) from pg_sequences`,
  );
  await client.query('analyze');
  await client.end();
}

/** The columns of each table, and their values in row `n`. */
const crowd: Record<string, readonly [columns: string, values: string]> = {
  accounts: ['id, issuer, subject, email', `id, 'crowd', n, n || '@example.com'`],
  api_keys: ['id, account_id, name, key_prefix, key_hash, created_at', `id, id, 'k', 'p', bytes, past`],
  events: ['event_id, source, title, event, read_at', `'crowd-' || n, 'sample', 't', '{}', past`],
  reports: [
    `id, account_id, event_id, event_title, utc_day, workflow_id, lane, simulated, status, seed, event, queried_market,
     prices_at, conclusion, failure_code, created_at, ended_at, written_by`,
    `later, id, 'crowd-' || n, 't', past::date, 'w', 'credits', n % 3 > 0,
     case when n % 10 = 0 then 'failed' else 'completed' end, 's', '{}', 'm', past,
     case when n % 10 = 0 then null else '{}'::json end, case when n % 10 = 0 then 'quorum_lost' end, past, past, '1'`,
  ],
  stage_results: [
    'report_id, stage, model, model_id, answer, attempts, latency_ms, created_at',
    `later, 'opinions', 'claude', 'm', '{}', 1, 1, past`,
  ],
  provider_calls: [
    'report_id, stage, model, model_id, outcome, latency_ms, simulated, lane, pool, called_at',
    `later, 'opinions', 'claude', 'm', 'answered', 1, true, 'credits', 'purchased', past`,
  ],
  ledger_accounts: ['id, name, account_id, balance_credits', `later, 'purchased', id, 1`],
  ledger_transfers: [
    'id, operation_key, kind, account_id, report_id, reason, created_at, written_by',
    `later, n, 'charge', id, later, 'r', past, '1'`,
  ],
  ledger_entries: [
    'id, transfer_id, ledger_account_id, amount_credits, balance_after',
    'later, later, later, 1, 1',
  ],
  report_purchases: [
    'id, account_id, state, kind, report_id, lane, pool, credits, charge_transfer_id, created_at, written_by',
    `id, id, 'charged', 'fresh', later, 'credits', 'purchased', 1, later, past, '1'`,
  ],
  idempotency_keys: ['account_id, key, fingerprint, receipt, created_at', `id, 'k', 'f', '{}', past`],
  quotes: [
    `id, report_id, fresh_credits, estimate_usd_micros, simulated, created_at, window_began_at, window_credits,
     cost_usd_micros`,
    'later, later, 120, 400000, false, past, past, 120, 0',
  ],
  grant_claims: [
    'account_id, week, mailbox, network, site, claimed_at',
    'id, past::date, n, n % 1000, n % 1000, past',
  ],
  weekly_grants: [
    'account_id, week, used_by, held_credits, usable_until, created_at, written_by',
    `id, date '2030-01-07', id, 0, past, past, '1'`,
  ],
  checkouts: [
    `id, account_id, pack_id, credits, price_usd_cents, stripe_session_id, stripe_payment_intent_id,
     purchase_transfer_id, created_at, paid_at, written_by`,
    `id, id, 'starter', 500, 700, n, n, later, past, past, '1'`,
  ],
  usage_outbox: [
    `id, account_id, report_id, kind, amount_usd_cents, stripe_customer_id, state, occurred_at, settled_at,
     written_by`,
    `id, id, later, 'fresh', 300, n, 'sent', past, past, '1'`,
  ],
  webhook_endpoints: [
    'id, account_id, url, types, status, created_at',
    `id, id, 'https://hooks.example.com', '{report.completed,report.graded}', 'active', past`,
  ],
  webhook_secrets: [
    'id, endpoint_id, kid, iv, tag, ciphertext, created_at',
    `id, id, 'k', substring(bytes for 12), substring(bytes for 16), bytes, past`,
  ],
  webhook_deliveries: [
    'id, endpoint_id, type, data, body, status, created_at, handed_over_at, ended_at',
    `id, id, 'report.completed', '{}', '{}', 'delivered', past, past, past`,
  ],
  webhook_attempts: ['delivery_id, number, at, status_code', 'id, 1, past, 204'],
  record_entries: [
    'seq, report_id, payload, previous_hash, hash, created_at, version, salt',
    `later, later, '{}', decode(lpad(to_hex(n + 500000), 64, '0'), 'hex'),
     decode(lpad(to_hex(n + 500001), 64, '0'), 'hex'), past, 1, sha256(int8send(n))`,
  ],
  resolutions: ['id, event_id, outcomes, evidence, observed_at', `later, 'crowd-' || n, '{}', '{}', past`],
  grades: [
    'id, report_id, resolution_id, grader, state, graded_at',
    `later, later, later, 'grader/1', 'void', past`,
  ],
  'auth."session"': ['id, "expiresAt", token, "updatedAt", "userId"', 'n, past, n, past, n'],
  'auth."verification"': ['id, identifier, value, "expiresAt"', 'n, n, n, past'],
};

/** Without schema and quotes, as a plan names them. */
export const crowdedTables: ReadonlySet<string> = new Set(
  Object.keys(crowd).map(table => table.replace('auth.', '').replaceAll('"', '')),
);
