import type { ColumnType, GeneratedAlways, JSONColumnType } from 'kysely';
import type { Dropout, DropoutKind } from '../council/deliberation/members.js';
import type { Stage } from '../council/deliberation/stages.js';
import type { EventSourceName, MarketEvent } from '../council/event.js';
import type { CouncilModel } from '../council/models.js';
import type { Lane, Pool, Receipt } from '../council/purchase/purchase.js';
import type { Conclusion, ReportStatus, RunFailureCode } from '../council/report.js';
import type { Frozen, FrozenJson, LateJson } from './column-types.js';
import type {
  BillingCustomersTable,
  CheckoutsTable,
  ProviderKeysTable,
  SubscriptionsTable,
  UsageOutboxTable,
  WeeklyGrantsTable,
} from './schema-payments.js';
import type {
  GradesTable,
  RecordBeganTable,
  RecordEntriesTable,
  ResolutionsTable,
  TrackRecordsTable,
} from './schema-record.js';

/** The tables as kysely sees them. The migrations are the truth; a test holds this file against them. */
export interface Database {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  events: EventsTable;
  reports: ReportsTable;
  stage_results: StageResultsTable;
  provider_calls: ProviderCallsTable;
  ledger_accounts: LedgerAccountsTable;
  ledger_transfers: LedgerTransfersTable;
  ledger_entries: LedgerEntriesTable;
  report_purchases: ReportPurchasesTable;
  idempotency_keys: IdempotencyKeysTable;
  quotes: QuotesTable;
  weekly_grants: WeeklyGrantsTable;
  provider_keys: ProviderKeysTable;
  billing_customers: BillingCustomersTable;
  subscriptions: SubscriptionsTable;
  checkouts: CheckoutsTable;
  usage_outbox: UsageOutboxTable;
  record_entries: RecordEntriesTable;
  record_began: RecordBeganTable;
  resolutions: ResolutionsTable;
  grades: GradesTable;
  track_records: TrackRecordsTable;
  sample_reports: SampleReportsTable;
}

interface AccountsTable {
  id: Frozen<string>;
  issuer: Frozen<string>;
  subject: Frozen<string>;
  email: string | null;
  created_at: ColumnType<Date, Date | undefined, never>;
}

interface ApiKeysTable {
  id: Frozen<string>;
  account_id: Frozen<string>;
  name: string;
  key_prefix: Frozen<string>;
  key_hash: Frozen<Buffer>;
  created_at: Frozen<Date>;
  last_used_at: ColumnType<Date | null, never, Date>;
  revoked_at: ColumnType<Date | null, never, Date>;
}

interface EventsTable {
  event_id: Frozen<string>;
  source: EventSourceName;
  title: string;
  event: JSONColumnType<MarketEvent>;
  read_at: Date;
}

interface ReportsTable {
  id: ColumnType<number, number | undefined, never>;
  account_id: Frozen<string>;
  event_id: Frozen<string>;
  event_title: Frozen<string>;
  /** YYYY-MM-DD */
  utc_day: Frozen<string>;
  workflow_id: Frozen<string>;
  lane: Frozen<Lane>;
  simulated: Frozen<boolean>;
  status: ReportStatus;
  seed: Frozen<string>;
  stage: ColumnType<Stage | null, never, Stage>;
  stage_of: ColumnType<number | null, never, number>;
  event: LateJson<MarketEvent>;
  queried_market: ColumnType<string | null, never, string>;
  prices_at: ColumnType<Date | null, never, Date>;
  conclusion: LateJson<Conclusion>;
  dropouts: LateJson<Dropout[]>;
  failure_code: ColumnType<RunFailureCode | null, never, RunFailureCode>;
  created_at: Frozen<Date>;
  ended_at: ColumnType<Date | null, never, Date>;
}

interface StageResultsTable {
  report_id: Frozen<number>;
  stage: Frozen<Stage>;
  model: Frozen<CouncilModel>;
  model_id: Frozen<string>;
  answer: FrozenJson<object>;
  attempts: Frozen<number>;
  latency_ms: Frozen<number>;
  created_at: Frozen<Date>;
}

interface ProviderCallsTable {
  id: GeneratedAlways<number>;
  report_id: Frozen<number>;
  stage: Frozen<Stage>;
  model: Frozen<CouncilModel>;
  model_id: Frozen<string>;
  outcome: Frozen<'answered' | DropoutKind>;
  input_tokens: Frozen<number>;
  output_tokens: Frozen<number>;
  cost_usd_micros: Frozen<number>;
  latency_ms: Frozen<number>;
  simulated: Frozen<boolean>;
  called_at: Frozen<Date>;
}

export type LedgerAccountName = 'house_issued' | 'house_earned' | Pool;

export type TransferKind = 'purchase' | 'grant' | 'charge' | 'refund' | 'adjustment';

interface LedgerAccountsTable {
  id: GeneratedAlways<number>;
  name: Frozen<LedgerAccountName>;
  account_id: Frozen<string | null>;
  balance_credits: ColumnType<number, never, never>;
}

interface LedgerTransfersTable {
  id: GeneratedAlways<number>;
  operation_key: Frozen<string>;
  kind: Frozen<TransferKind>;
  account_id: Frozen<string>;
  report_id: Frozen<number | null>;
  api_key_id: Frozen<string | null>;
  reverses: ColumnType<number | null, number | undefined, never>;
  reason: Frozen<string>;
  created_at: Frozen<Date>;
  /** Set and read by the database alone: the transaction that wrote it. */
  written_by: ColumnType<string, never, never>;
}

interface LedgerEntriesTable {
  id: GeneratedAlways<number>;
  transfer_id: Frozen<number>;
  ledger_account_id: Frozen<number>;
  amount_credits: Frozen<number>;
  balance_after: ColumnType<number, undefined, never>;
}

export interface ReportPurchasesTable {
  id: Frozen<string>;
  account_id: Frozen<string>;
  api_key_id: ColumnType<string | null, string | null | undefined, never>;
  state: 'charged' | 'refunded' | 'void';
  kind: ColumnType<'fresh' | 'cached' | null, 'fresh' | 'cached' | undefined, never>;
  report_id: ColumnType<number | null, number | undefined, never>;
  lane: ColumnType<Lane | null, Lane | undefined, never>;
  pool: ColumnType<Pool | null, Pool | undefined, never>;
  credits: ColumnType<number | null, number | undefined, never>;
  charge_transfer_id: ColumnType<number | null, number | undefined, never>;
  refund_transfer_id: ColumnType<number | null, never, number>;
  created_at: Frozen<Date>;
  ended_at: ColumnType<Date | null, never, Date>;
}

interface IdempotencyKeysTable {
  account_id: Frozen<string>;
  key: Frozen<string>;
  fingerprint: string;
  receipt: JSONColumnType<Receipt>;
  created_at: Date;
}

export interface QuotesTable {
  id: GeneratedAlways<number>;
  report_id: Frozen<number>;
  fresh_credits: Frozen<number>;
  estimate_usd_micros: Frozen<number>;
  simulated: Frozen<boolean>;
  created_at: Frozen<Date>;
}

interface SampleReportsTable {
  report_id: Frozen<number>;
  account_id: Frozen<string>;
  shown_at: Frozen<Date>;
}
