import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { dropoutKinds } from '../council/deliberation/members.js';
import { councilModels } from '../council/models.js';
import { runFailures } from '../council/report.js';

/**
 * Every figure that this service tells Prometheus, once, with its unit in its name. A label never holds an account, a report,
 * an event or anything else of which there is no end. `docs/operations.md` says what to do about each.
 */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { registry, ...answerMetrics(registry), ...runMetrics(registry), ...auditMetrics(registry) };
}

/** From what a cached report takes to the longest that a caller may wait. */
const httpBucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];
/** From a simulated call to the longest stage. */
const modelBucketsSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 45, 60];

function answerMetrics(registry: Registry) {
  const registers = [registry];
  return {
    httpSeconds: new Histogram({
      name: 'council_http_request_seconds',
      help: 'Answers of the API, by route as it is written and by status. Held answers (Prefer: wait) are in it.',
      labelNames: ['method', 'route', 'status'],
      buckets: httpBucketsSeconds,
      registers,
    }),
    purchases: new Counter({
      name: 'council_purchases_total',
      help: 'Purchases as they were answered: fresh, cached, owned, replayed, or the code of the refusal.',
      labelNames: ['answer', 'lane'],
      registers,
    }),
  };
}

function runMetrics(registry: Registry) {
  const registers = [registry];
  const reports = new Counter({
    name: 'council_reports_total',
    help: 'Runs that came to an end, each once: completed, degraded, or the code of the failure.',
    labelNames: ['end'],
    registers,
  });
  const refundedCredits = new Counter({
    name: 'council_refunded_credits_total',
    help: 'Credits given back for runs that failed.',
    labelNames: ['failure'],
    registers,
  });
  const dropouts = new Counter({
    name: 'council_dropouts_total',
    help: 'Members that were lost by reports which were delivered all the same.',
    labelNames: ['model', 'kind'],
    registers,
  });
  // From 0 on: of a series that begins with its first event, that event is never seen to happen.
  for (const end of ['completed', 'degraded', ...Object.keys(runFailures)]) reports.inc({ end }, 0);
  for (const failure of Object.keys(runFailures)) refundedCredits.inc({ failure }, 0);
  for (const model of councilModels) for (const kind of dropoutKinds) dropouts.inc({ model, kind }, 0);
  return {
    reports,
    refundedCredits,
    dropouts,
    modelCallSeconds: new Histogram({
      name: 'council_model_call_seconds',
      help: 'Calls to a model, repairs and retries each by itself; outcome is "answered" or the kind of the failure.',
      labelNames: ['model', 'stage', 'outcome'],
      buckets: modelBucketsSeconds,
      registers,
    }),
    modelTokens: new Counter({
      name: 'council_model_tokens_total',
      help: 'Tokens that vendors have counted.',
      labelNames: ['model', 'direction'],
      registers,
    }),
  };
}

function auditMetrics(registry: Registry) {
  const registers = [registry];
  const ledgerDrift = new Gauge({
    name: 'council_ledger_drift_sentences',
    help: 'What the last audit of the books by this process found wrong. Anything but 0 is for a person to look at.',
    registers,
  });
  const ledgerAudited = new Gauge({
    name: 'council_ledger_audited_timestamp_seconds',
    help: 'When this process last audited the books.',
    registers,
  });
  // A process that has never audited knows nothing: 0 would say that all is well, and that it was so in 1970.
  ledgerDrift.remove();
  ledgerAudited.remove();
  return { ledgerDrift, ledgerAudited };
}
