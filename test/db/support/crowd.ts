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
  for (const table of guarded) await client.query(`alter table ${table} disable trigger user`);
  for (const [table, columns] of Object.entries(crowd)) {
    await client.query(
      `insert into ${table} (${Object.keys(columns).join(', ')}) overriding system value
       select ${Object.values(columns).join(', ')}
       from (select n, lpad(to_hex(n), 32, '0')::uuid as id, decode(lpad(to_hex(n), 64, '0'), 'hex') as bytes,
           timestamptz '2031-03-05T11:00Z' - (${crowdRows} - n) * interval '80 seconds' as past
         from generate_series(1, ${crowdRows}) as n) as row`,
    );
  }
  for (const table of guarded) await client.query(`alter table ${table} enable trigger user`);
  // The ids of later rows are higher than those of the crowd.
  await client.query(
    `select setval(format('%s.%I', schemaname, sequencename)::regclass, 3000000) from pg_sequences`,
  );
  await client.query('analyze');
  await client.end();
}

const guarded = [
  'reports',
  'stage_results',
  'provider_calls',
  'ledger_accounts',
  'ledger_transfers',
  'ledger_entries',
  'report_purchases',
  'quotes',
  'weekly_grants',
  'usage_outbox',
  'checkouts',
  'record_entries',
  'resolutions',
  'grades',
];

const later = 'n + 1000000';
const event = `'crowd-' || n`;

const crowd: Record<string, Record<string, string>> = {
  accounts: { id: 'id', issuer: `'crowd'`, subject: 'n', email: `n || '@example.com'` },
  api_keys: {
    id: 'id',
    account_id: 'id',
    name: `'k'`,
    key_prefix: `'p'`,
    key_hash: 'bytes',
    created_at: 'past',
  },
  events: { event_id: event, source: `'sample'`, title: `'t'`, event: `'{}'`, read_at: 'past' },
  reports: {
    id: later,
    account_id: 'id',
    event_id: event,
    event_title: `'t'`,
    utc_day: 'past::date',
    workflow_id: `'w'`,
    lane: `'credits'`,
    simulated: 'n % 3 > 0',
    status: `case when n % 10 = 0 then 'failed' else 'completed' end`,
    seed: `'s'`,
    event: `'{}'`,
    queried_market: `'m'`,
    prices_at: 'past',
    conclusion: `case when n % 10 = 0 then null else '{}'::json end`,
    failure_code: `case when n % 10 = 0 then 'quorum_lost' end`,
    created_at: 'past',
    ended_at: 'past',
    written_by: `'1'`,
  },
  stage_results: {
    report_id: later,
    stage: `'opinions'`,
    model: `'claude'`,
    model_id: `'m'`,
    answer: `'{}'`,
    attempts: '1',
    latency_ms: '1',
    created_at: 'past',
  },
  provider_calls: {
    report_id: later,
    stage: `'opinions'`,
    model: `'claude'`,
    model_id: `'m'`,
    outcome: `'answered'`,
    latency_ms: '1',
    simulated: 'true',
    lane: `'credits'`,
    pool: `'purchased'`,
    called_at: 'past',
  },
  ledger_accounts: { id: later, name: `'purchased'`, account_id: 'id', balance_credits: '1' },
  ledger_transfers: {
    id: later,
    operation_key: 'n',
    kind: `'charge'`,
    account_id: 'id',
    report_id: later,
    reason: `'r'`,
    created_at: 'past',
    written_by: `'1'`,
  },
  ledger_entries: {
    id: later,
    transfer_id: later,
    ledger_account_id: later,
    amount_credits: '1',
    balance_after: '1',
  },
  report_purchases: {
    id: 'id',
    account_id: 'id',
    state: `'charged'`,
    kind: `'fresh'`,
    report_id: later,
    lane: `'credits'`,
    pool: `'purchased'`,
    credits: '1',
    charge_transfer_id: later,
    created_at: 'past',
    written_by: `'1'`,
  },
  idempotency_keys: {
    account_id: 'id',
    key: `'k'`,
    fingerprint: `'f'`,
    receipt: `'{}'`,
    created_at: 'past',
  },
  quotes: {
    id: later,
    report_id: later,
    fresh_credits: '120',
    estimate_usd_micros: '400000',
    simulated: 'false',
    created_at: 'past',
    window_began_at: 'past',
    window_credits: '120',
    cost_usd_micros: '0',
  },
  grant_claims: {
    account_id: 'id',
    week: 'past::date',
    mailbox: 'n',
    network: 'n % 1000',
    site: 'n % 1000',
    claimed_at: 'past',
  },
  weekly_grants: {
    account_id: 'id',
    week: `date '2030-01-07'`,
    used_by: 'id',
    held_credits: '0',
    usable_until: 'past',
    created_at: 'past',
    written_by: `'1'`,
  },
  checkouts: {
    id: 'id',
    account_id: 'id',
    pack_id: `'starter'`,
    credits: '500',
    price_usd_cents: '700',
    stripe_session_id: 'n',
    stripe_payment_intent_id: 'n',
    purchase_transfer_id: later,
    created_at: 'past',
    paid_at: 'past',
    written_by: `'1'`,
  },
  usage_outbox: {
    id: 'id',
    account_id: 'id',
    report_id: later,
    kind: `'fresh'`,
    amount_usd_cents: '300',
    stripe_customer_id: 'n',
    state: `'sent'`,
    occurred_at: 'past',
    settled_at: 'past',
    written_by: `'1'`,
  },
  record_entries: {
    seq: later,
    report_id: later,
    payload: `'{}'`,
    previous_hash: `decode(lpad(to_hex(n + 500000), 64, '0'), 'hex')`,
    hash: `decode(lpad(to_hex(n + 500001), 64, '0'), 'hex')`,
    created_at: 'past',
    version: '1',
    salt: `sha256(int8send(n))`,
  },
  resolutions: { id: later, event_id: event, outcomes: `'{}'`, evidence: `'{}'`, observed_at: 'past' },
  grades: {
    id: later,
    report_id: later,
    resolution_id: later,
    grader: `'grader/1'`,
    state: `'void'`,
    graded_at: 'past',
  },
  'auth."session"': {
    id: 'n',
    '"expiresAt"': 'past',
    token: 'n',
    '"updatedAt"': 'past',
    '"userId"': 'n',
  },
  'auth."verification"': { id: 'n', identifier: 'n', value: 'n', '"expiresAt"': 'past' },
};

/** Without schema and quotes, as a plan names them. */
export const crowdedTables: ReadonlySet<string> = new Set(
  Object.keys(crowd).map(table => table.replace('auth.', '').replaceAll('"', '')),
);
