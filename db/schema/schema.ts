import type { ColumnType, InsertType, SelectType, UpdateType } from 'kysely';
import type { DB } from './tables.js';

/**
 * The tables as kysely sees them. `tables.ts` is generated from the migrated database (`npm run tables`).
 * This file adds what the database catalogue does not know: which columns may be written after the insert.
 *
 * Invariant: a column that is not listed here is written by the insert and never updated.
 */
export interface Database {
  accounts: Table<
    'accounts',
    { updatable: 'email' | 'email_verified_at' | 'suspended_at' | 'suspended_because' }
  >;
  api_keys: Table<
    'api_keys',
    { updatable: 'name' | 'networks_seen'; setLater: 'last_used_at' | 'last_used_from' | 'revoked_at' }
  >;
  event_rules: Table<'event_rules'>;
  event_slugs: Table<'event_slugs', { updatable: 'event_id' }>;
  events: Table<'events', { updatable: 'source' | 'title' | 'event' | 'read_at' }>;
  market_answers: Table<
    'market_answers',
    { updatable: 'answer' | 'read_at' | 'claimed_until' | 'retry_at' | 'asked_at' }
  >;
  reports: Table<
    'reports',
    {
      updatable: 'status' | 'stage' | 'stage_of';
      generated: 'written_by';
      setLater: 'evidence' | 'conclusion' | 'other_venue' | 'dropouts' | 'failure_code' | 'ended_at';
    }
  >;
  report_streams: Table<'report_streams', { updatable: 'events' }>;
  stage_results: Table<'stage_results'>;
  provider_calls: Table<'provider_calls', { updatable: 'used'; generated: 'id' | 'lane' | 'pool' }>;
  ledger_accounts: Table<'ledger_accounts', { generated: 'id' | 'balance_credits' }>;
  ledger_transfers: Table<'ledger_transfers', { generated: 'id' | 'written_by' }>;
  ledger_entries: Table<'ledger_entries', { generated: 'id' | 'balance_after' }>;
  report_purchases: Table<
    'report_purchases',
    { updatable: 'state'; setLater: 'refund_transfer_id' | 'ended_at'; generated: 'written_by' }
  >;
  batches: Table<
    'batches',
    {
      updatable:
        | 'status'
        | 'paused_reason'
        | 'paused_member'
        | 'running_since'
        | 'resumes_at'
        | 'budget_credits'
        | 'ended_at';
    }
  >;
  batch_rows: Table<'batch_rows', { updatable: 'state' | 'kind' | 'report_id' | 'code' | 'decided_at' }>;
  idempotency_keys: Table<'idempotency_keys', { updatable: 'fingerprint' | 'receipt' | 'created_at' }>;
  quotes: Table<'quotes', { generated: 'id' }>;
  weekly_grants: Table<
    'weekly_grants',
    { updatable: 'used_by' | 'held_credits' | 'usable_until'; generated: 'written_by' }
  >;
  provider_keys: Table<
    'provider_keys',
    { updatable: 'kid' | 'iv' | 'tag' | 'ciphertext' | 'last4' | 'updated_at' }
  >;
  billing_customers: Table<'billing_customers'>;
  subscriptions: Table<'subscriptions', { updatable: Exclude<keyof DB['subscriptions'], 'account_id'> }>;
  checkouts: Table<
    'checkouts',
    {
      setLater:
        | 'stripe_session_id'
        | 'stripe_payment_intent_id'
        | 'purchase_transfer_id'
        | 'refunded_usd_cents'
        | 'disputed'
        | 'taken_back_credits'
        | 'owed_credits'
        | 'paid_at'
        | 'asked_at'
        | 'closed_at';
      generated: 'written_by';
    }
  >;
  payment_findings: Table<'payment_findings', { setLater: 'settled_at' | 'settled_reason' }>;
  usage_outbox: Table<
    'usage_outbox',
    {
      updatable:
        | 'state'
        | 'next_try_at'
        | 'failures'
        | 'uncertain_tries'
        | 'first_tried_at'
        | 'settled_at'
        | 'cancel_series';
      setLater: 'void_reason' | 'settle_reason' | 'cancellation' | 'paid_at';
      generated: 'written_by';
    }
  >;
  ceiling_notices: Table<'ceiling_notices'>;
  house_spend: Table<'house_spend', { generated: keyof DB['house_spend'] }>;
  grant_claims: Table<'grant_claims'>;
  audit_horizon: Table<
    'audit_horizon',
    {
      updatable: 'written_before' | 'cluster' | 'audited_at' | 'fully_audited_at' | 'full_audit_failed_at';
      generated: 'one';
    }
  >;
  record_entries: Table<'record_entries'>;
  record_timestamps: Table<'record_timestamps', { generated: 'id' }>;
  unsealed_entries: Table<'unsealed_entries', { generated: 'id' | 'occurred_at' }>;
  resolutions: Table<'resolutions', { generated: 'id' }>;
  grades: Table<'grades', { generated: 'id' }>;
  track_records: Table<'track_records', { updatable: 'body' | 'proof' | 'computed_at' }>;
  sample_reports: Table<'sample_reports'>;
  estimate_weights: Table<'estimate_weights'>;
  weights_activations: Table<'weights_activations', { generated: 'id' }>;
  weights_refits: Table<'weights_refits'>;
  webhook_endpoints: Table<
    'webhook_endpoints',
    {
      updatable: 'url' | 'types' | 'description' | 'status' | 'disabled_reason' | 'last_delivery_at';
    }
  >;
  webhook_secrets: Table<'webhook_secrets', { updatable: 'kid' | 'iv' | 'tag' | 'ciphertext' | 'ends_at' }>;
  webhook_deliveries: Table<
    'webhook_deliveries',
    {
      generated: 'id';
      updatable: 'status' | 'handed_over_at' | 'next_attempt_at' | 'ended_at';
      setLater: 'body';
    }
  >;
  webhook_attempts: Table<'webhook_attempts'>;
  venue_turns: Table<'venue_turns', { updatable: 'free_from' | 'holder' | 'held_until' | 'paused_until' }>;
  kalshi_events: Table<
    'kalshi_events',
    { updatable: Exclude<keyof DB['kalshi_events'], 'ticker' | 'search'>; generated: 'search' }
  >;
  kalshi_fill: Table<
    'kalshi_fill',
    {
      updatable: 'pass' | 'pass_started_at' | 'cursor' | 'changed_since' | 'whole_pass_at';
      generated: 'one';
    }
  >;
}

/**
 * `setLater`: absent from the insert, set by an update, never reset to null. `generated`: written by the
 * database only.
 */
type WriteRules<Column> = Partial<Record<'updatable' | 'setLater' | 'generated', Column>>;

type Table<Name extends keyof DB, Rules extends WriteRules<keyof DB[Name]> = object> = {
  [Column in keyof DB[Name]]: ColumnWithRule<DB[Name][Column], RuleOf<Column, Rules>>;
};

type RuleOf<Column, Rules> = {
  [Rule in keyof Rules]: Column extends Rules[Rule] ? Rule : never;
}[keyof Rules];

type ColumnWithRule<Type, Rule> = [Rule] extends [never]
  ? ColumnType<SelectType<Type>, InsertType<Type>, never>
  : Rule extends 'updatable'
    ? Type
    : ColumnType<SelectType<Type>, never, Rule extends 'setLater' ? NonNullable<UpdateType<Type>> : never>;
