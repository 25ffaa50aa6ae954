import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { dropoutKinds } from '../../council/deliberation/members.js';
import { stages } from '../../council/deliberation/stages.js';
import { venues } from '../../council/event.js';
import { evidenceStatuses } from '../../council/evidence.js';
import {
  marketAnswerOrigins,
  marketPurposes,
  marketRequestOutcomes,
} from '../../council/market/market-requests.js';
import { councilModels } from '../../council/models.js';
import { runFailures } from '../../council/report.js';
import { attemptKinds } from '../../purchase/pauses.js';

/**
 * All metrics of this service, with the unit in the name. Labels have bounded cardinality: no account, report
 * or event. Operators read the `help` of each metric at `/metrics`.
 */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    ...apiMetrics(registry),
    ...accountMetrics(registry),
    ...runMetrics(registry),
    ...evidenceMetrics(registry),
    ...marketMetrics(registry),
    ...auditMetrics(registry),
    ...webhookMetrics(registry),
  };
}

/** The buckets reach from the duration of a cached report to the longest `Prefer: wait`. */
const httpBucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];
/** The buckets reach from the duration of a simulated call to the longest stage. */
const modelBucketsSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 45, 60];

function apiMetrics(registry: Registry) {
  const registers = [registry];
  const mails = new Counter({
    name: 'council_mails_total',
    help: 'Outgoing mails by result: sent to the mail server, or failed after all attempts.',
    labelNames: ['result'],
    registers,
  });
  for (const result of ['sent', 'failed']) mails.inc({ result }, 0);
  return {
    mails,
    httpSeconds: new Histogram({
      name: 'council_http_request_seconds',
      help: 'API responses by route template and status, including held responses (Prefer: wait).',
      labelNames: ['method', 'route', 'status'],
      buckets: httpBucketsSeconds,
      registers,
    }),
    problems: new Counter({
      name: 'council_problems_total',
      help: 'Error responses of the API by code.',
      labelNames: ['code'],
      registers,
    }),
    purchases: new Counter({
      name: 'council_purchases_total',
      help: 'Purchases by result: fresh, cached, owned, replayed, event_rests, network_grants_reached, or the error code.',
      labelNames: ['answer', 'lane'],
      registers,
    }),
    heldAnswers: new Gauge({
      name: 'council_held_answers',
      help: 'Responses that this process holds until their reports change (Prefer: wait), and open event streams.',
      registers,
    }),
    weeklyGrantsUsed: new Counter({
      name: 'council_weekly_grants_used_total',
      help: 'Fresh reports that weekly grants paid for. The house pays their models.',
      registers,
    }),
  };
}

function accountMetrics(registry: Registry) {
  const registers = [registry];
  const signUps = new Counter({
    name: 'council_sign_ups_total',
    help: 'Accounts opened with the built-in accounts.',
    registers,
  });
  const signIns = new Counter({
    name: 'council_sign_ins_total',
    help: 'Sign-ins with a password by result: succeeded or failed. Throttled ones were not tried.',
    labelNames: ['result'],
    registers,
  });
  const throttled = new Counter({
    name: 'council_throttled_requests_total',
    help: 'Requests refused by a limit: address, anonymous, credential, passwords, market, or what was tried.',
    labelNames: ['limit'],
    registers,
  });
  for (const result of ['succeeded', 'failed']) signIns.inc({ result }, 0);
  for (const limit of throttlingLimits) throttled.inc({ limit }, 0);
  return { signUps, signIns, throttled };
}

/**
 * The limits on requests, the bound on passwords that are hashed at once, what an account has the market asked and
 * creates for free, and the attempts that are throttled.
 */
const throttlingLimits = [
  'address',
  'anonymous',
  'credential',
  'passwords',
  'market',
  'keys',
  'checkouts',
  'batches',
  ...attemptKinds,
];

function runMetrics(registry: Registry) {
  const registers = [registry];
  const reports = new Counter({
    name: 'council_reports_total',
    help: 'Ended runs: completed, degraded, or the failure code.',
    labelNames: ['end'],
    registers,
  });
  const refundedCredits = new Counter({
    name: 'council_refunded_credits_total',
    help: 'Credits refunded for failed runs.',
    labelNames: ['failure'],
    registers,
  });
  const dropouts = new Counter({
    name: 'council_dropouts_total',
    help: 'Models lost at a stage of delivered reports; at the synthesis, chairmen that were replaced.',
    labelNames: ['model', 'stage', 'kind'],
    registers,
  });
  // Start each series at 0: Prometheus cannot see the first increase of a series that starts at 1.
  for (const end of ['completed', 'degraded', ...Object.keys(runFailures)]) reports.inc({ end }, 0);
  for (const failure of Object.keys(runFailures)) refundedCredits.inc({ failure }, 0);
  for (const model of councilModels)
    for (const stage of stages) for (const kind of dropoutKinds) dropouts.inc({ model, stage, kind }, 0);
  return {
    reports,
    refundedCredits,
    dropouts,
    modelCallSeconds: new Histogram({
      name: 'council_model_call_seconds',
      help: 'Calls to a model, including repairs and retries; outcome is "answered", "aborted" or the kind of failure.',
      labelNames: ['model', 'stage', 'outcome'],
      buckets: modelBucketsSeconds,
      registers,
    }),
    modelTokens: new Counter({
      name: 'council_model_tokens_total',
      help: 'Tokens as reported by the vendors.',
      labelNames: ['model', 'direction'],
      registers,
    }),
    modelCachedTokens: new Counter({
      name: 'council_model_cached_tokens_total',
      help: "Input tokens that the vendors' prompt caches served; they are part of the input.",
      labelNames: ['model'],
      registers,
    }),
  };
}

function evidenceMetrics(registry: Registry) {
  const registers = [registry];
  const evidence = new Counter({
    name: 'council_evidence_total',
    help: 'Delivered reports by what their search found: searched, partial, none, or off if nobody searched.',
    labelNames: ['status'],
    registers,
  });
  const evidenceRemoved = new Counter({
    name: 'council_evidence_removed_total',
    help: 'What was left out of the evidence of delivered reports, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const modelSearches = new Counter({
    name: 'council_model_searches_total',
    help: 'Web searches as reported by the vendors, which bill them.',
    labelNames: ['model'],
    registers,
  });
  for (const status of [...evidenceStatuses, 'off']) evidence.inc({ status }, 0);
  return { evidence, evidenceRemoved, modelSearches };
}

function marketMetrics(registry: Registry) {
  const registers = [registry];
  const marketRequests = new Counter({
    name: 'council_market_requests_total',
    help: 'Requests to the market by venue and purpose; outcome is answered, failed, or refused by the budget.',
    labelNames: ['venue', 'purpose', 'outcome'],
    registers,
  });
  const marketAnswers = new Counter({
    name: 'council_market_answers_total',
    help: 'Searches and reads of events by venue and where the answer came from: kept, market, stale or unavailable.',
    labelNames: ['venue', 'origin'],
    registers,
  });
  const marketUnreadable = new Counter({
    name: 'council_market_unreadable_total',
    help: 'Answers of a venue that are not in the form that is parsed: `council venues check` says what changed.',
    labelNames: ['venue'],
    registers,
  });
  for (const venue of venues) {
    marketUnreadable.inc({ venue }, 0);
    for (const purpose of marketPurposes)
      for (const outcome of marketRequestOutcomes) marketRequests.inc({ venue, purpose, outcome }, 0);
    for (const origin of marketAnswerOrigins) marketAnswers.inc({ venue, origin }, 0);
  }
  return { marketRequests, marketAnswers, marketUnreadable };
}

function webhookMetrics(registry: Registry) {
  const registers = [registry];
  const webhookTries = new Counter({
    name: 'council_webhook_tries_total',
    help: 'Tries of webhook deliveries by what followed: delivered, again (a later try) or failed (the last one).',
    labelNames: ['outcome'],
    registers,
  });
  const webhooksDisabled = new Counter({
    name: 'council_webhooks_disabled_total',
    help: 'Webhook endpoints that were disabled because they answered 410 (gone) or a delivery had its last try (failing).',
    labelNames: ['reason'],
    registers,
  });
  const webhookHandOverFailures = new Counter({
    name: 'council_webhook_hand_over_failures_total',
    help: 'Attempts to hand waiting webhook deliveries to Temporal that failed. One is made every second.',
    registers,
  });
  for (const outcome of ['delivered', 'again', 'failed']) webhookTries.inc({ outcome }, 0);
  for (const reason of ['gone', 'failing']) webhooksDisabled.inc({ reason }, 0);
  return { webhookTries, webhooksDisabled, webhookHandOverFailures };
}

function auditMetrics(registry: Registry) {
  const registers = [registry];
  const ledgerDrift = new Gauge({
    name: 'council_ledger_drift_sentences',
    help: 'Problems found by the last ledger audit of this process. Any value but 0 needs an operator.',
    registers,
  });
  const ledgerAudited = new Gauge({
    name: 'council_ledger_audited_timestamp_seconds',
    help: 'Time of the last ledger audit of this process.',
    registers,
  });
  const ledgerFullyAudited = new Gauge({
    name: 'council_ledger_fully_audited_timestamp_seconds',
    help: 'Time of the last audit of all rows without drift, as this process knows it.',
    registers,
  });
  const recordStamped = new Gauge({
    name: 'council_record_stamped_timestamp_seconds',
    help: 'Time of the newest receipt of the record that this process knows.',
    registers,
  });
  // There is no value until the first audit: 0 would mean a clean audit in 1970.
  ledgerDrift.remove();
  ledgerAudited.remove();
  ledgerFullyAudited.remove();
  recordStamped.remove();
  const recordStampFailures = new Counter({
    name: 'council_record_stamp_failures_total',
    help: 'Attempts to have the record time-stamped that failed.',
    registers,
  });
  const recordSealFailures = new Counter({
    name: 'council_record_seal_failures_total',
    help: 'Attempts to seal new entries of the record that failed. One is made every second.',
    registers,
  });
  return {
    ledgerDrift,
    ledgerAudited,
    ledgerFullyAudited,
    recordStamped,
    recordStampFailures,
    recordSealFailures,
  };
}
