import type { IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';
import { Gauge, Registry } from 'prom-client';
import type { BatchFigures } from '../../db/batches/batch-figures.js';
import type { HouseFigures } from '../../db/house/house-day.js';
import type { MoneyInFlight } from '../../db/ledger/money-in-flight.js';
import type { WebhookFigures } from '../../db/webhooks/waiting.js';
import { type CeilingName, ceilingNames, type SalesPolicy } from '../../purchase/house-ceilings.js';
import { usdMicrosPerUsd } from '../../purchase/limits.js';
import { withTimeout } from '../net/with-timeout.js';
import type { Metrics } from './metrics.js';

/** Renders the current metrics. */
export type MetricsPage = () => Promise<string>;

export const metricsContentType = Registry.PROMETHEUS_CONTENT_TYPE;

export interface MetricsSource {
  readonly metrics: Metrics;
  /** Read at each scrape. All processes report the same values. */
  readonly readMoney: () => Promise<MoneyInFlight>;
  /** Read at each scrape, as well. */
  readonly readHouse: () => Promise<HouseFigures>;
  /** The builds with open runs and no workers. Read at each scrape; null if this process does not report them. */
  readonly readLostBuilds: (() => Promise<readonly string[]>) | null;
  /** Read at each scrape; absent if this process does not report them. */
  readonly readWebhooks?: () => Promise<WebhookFigures>;
  readonly readBatches?: () => Promise<BatchFigures>;
  readonly policy: SalesPolicy;
  /** Where the Temporal SDK serves its metrics; null if it does not. */
  readonly sdkUrl: string | null;
}

/** `/metrics` of a process: its own metrics, those of the ledger and those of the Temporal SDK. */
export function metricsPage(source: MetricsSource): MetricsPage {
  const { metrics, readMoney, readHouse, readLostBuilds, readWebhooks, readBatches, policy, sdkUrl } = source;
  const money = moneyGauges(metrics);
  const house = houseGauges(metrics, policy);
  const builds = buildGauge(metrics);
  const webhooks = readWebhooks === undefined ? null : webhookGauges(metrics, readWebhooks);
  const batches = readBatches === undefined ? null : batchGauges(metrics, readBatches);
  return async () => {
    await Promise.all([
      money.refresh(readMoney),
      house.refresh(readHouse),
      ...(readLostBuilds === null ? [] : [builds.refresh(readLostBuilds)]),
      webhooks?.refresh(),
      batches?.refresh(),
    ]);
    const own = await metrics.registry.metrics();
    return sdkUrl === null ? own : `${own}\n${await sdkMetrics(sdkUrl)}`;
  };
}

function moneyGauges({ registry }: Metrics) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const up = gauge('council_database_up', '1 while the database can be read.');
  const gauges = {
    runs: gauge('council_runs_in_flight', 'Charged runs that have not ended.'),
    credits: gauge('council_credits_in_flight', 'Credits charged for runs that have not ended.'),
    oldestSeconds: gauge('council_oldest_run_seconds', 'Age of the oldest charged run that has not ended.'),
    usageWaiting: gauge('council_usage_waiting', 'Metered reports not yet sent to the payment provider.'),
    usageOldestSeconds: gauge('council_oldest_usage_seconds', 'Age of the oldest unsent metered report.'),
    paymentFindings: gauge(
      'council_payment_findings',
      'Payments that were not credited and need an operator.',
    ),
    paymentAlerts: gauge(
      'council_payment_alerts',
      'Disputed invoices and warnings of fraud that are not settled.',
    ),
    unsealedOldestSeconds: gauge(
      'council_oldest_unsealed_entry_seconds',
      'Age of the oldest entry that waits for its place in the public record.',
    ),
  };
  return {
    /** Sets the gauges to NaN if the database cannot be read, because old values would hide the problem. */
    refresh: async (read: () => Promise<MoneyInFlight>): Promise<void> => {
      try {
        const money = await withTimeout(databaseTimeoutMs, read());
        up.set(1);
        gauges.runs.set(money.runs);
        gauges.credits.set(money.credits);
        gauges.oldestSeconds.set(money.oldestSeconds);
        gauges.usageWaiting.set(money.usageWaiting);
        gauges.usageOldestSeconds.set(money.usageOldestSeconds);
        gauges.paymentFindings.set(money.paymentFindings);
        gauges.paymentAlerts.set(money.paymentAlerts);
        gauges.unsealedOldestSeconds.set(money.unsealedOldestSeconds);
      } catch {
        up.set(0);
        for (const gauge of Object.values(gauges)) gauge.set(Number.NaN);
      }
    },
  };
}

/** The limit of a missing ceiling is `+Inf`. */
function houseGauges({ registry }: Metrics, policy: SalesPolicy) {
  const cost = new Gauge({
    name: 'council_house_cost_usd',
    help: 'Model cost of this UTC day: spent by its calls, and committed to the runs that are open.',
    labelNames: ['ceiling', 'part'],
    registers: [registry],
  });
  const limit = new Gauge({
    name: 'council_house_limit_usd',
    help: 'Ceilings of model cost in a UTC day.',
    labelNames: ['ceiling'],
    registers: [registry],
  });
  limit.set({ ceiling: 'all' }, policy.houseLimitUsdMicros / usdMicrosPerUsd);
  limit.set({ ceiling: 'weekly_grants' }, policy.grantLimitUsdMicros / usdMicrosPerUsd);
  const set = (ceiling: CeilingName, { spentUsdMicros, committedUsdMicros }: CostOfDay) => {
    cost.set({ ceiling, part: 'spent' }, spentUsdMicros / usdMicrosPerUsd);
    cost.set({ ceiling, part: 'committed' }, committedUsdMicros / usdMicrosPerUsd);
  };
  return {
    /** An unknown figure is NaN, as for the other figures of the database. */
    refresh: async (read: () => Promise<HouseFigures>): Promise<void> => {
      const figures = await withTimeout(databaseTimeoutMs, read()).catch(() => null);
      for (const ceiling of ceilingNames) set(ceiling, figures?.[ceiling] ?? unknownCost);
    },
  };
}

function webhookGauges({ registry }: Metrics, read: () => Promise<WebhookFigures>) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const pending = gauge('council_webhooks_pending', 'Webhook deliveries that have not ended.');
  const oldest = gauge('council_oldest_webhook_seconds', 'Age of the oldest delivery that has not ended.');
  const unhanded = gauge(
    'council_oldest_unhanded_webhook_seconds',
    'How long the oldest webhook delivery has waited to be handed to Temporal.',
  );
  const due = gauge('council_webhooks_due', 'Webhook deliveries whose try has been due for a minute.');
  const failing = gauge(
    'council_webhooks_failing',
    'Webhook endpoints that have not accepted a delivery and will be tried again.',
  );
  return {
    /** An unknown figure is NaN, as for the other figures of the database. */
    refresh: async (): Promise<void> => {
      const figures = await withTimeout(databaseTimeoutMs, read()).catch(() => null);
      pending.set(figures?.pending ?? Number.NaN);
      oldest.set(figures?.oldestSeconds ?? Number.NaN);
      unhanded.set(figures?.unhandedSeconds ?? Number.NaN);
      due.set(figures?.due ?? Number.NaN);
      failing.set(figures?.failingEndpoints ?? Number.NaN);
    },
  };
}

function batchGauges({ registry }: Metrics, read: () => Promise<BatchFigures>) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const running = gauge('council_batches_running', 'Batches that buy rows.');
  const paused = gauge('council_batches_paused', 'Paused batches.');
  const forMember = gauge('council_batches_paused_for_member', 'Batches that a failing member has paused.');
  const waiting = gauge('council_batch_rows_waiting', 'Rows of running batches that are not bought yet.');
  const stands = gauge(
    'council_batch_stands_still_seconds',
    'How long the slowest running batch has bought, refused and finished no row.',
  );
  const share = new Gauge({
    name: 'council_batch_window_share',
    help: 'The share of their places in flight that batches may use, by the member whose vendor asks for fewer requests.',
    labelNames: ['member'],
    registers: [registry],
  });
  return {
    /** An unknown figure is NaN, as for the other figures of the database. */
    refresh: async (): Promise<void> => {
      const figures = await withTimeout(databaseTimeoutMs, read()).catch(() => null);
      running.set(figures?.running ?? Number.NaN);
      paused.set(figures?.paused ?? Number.NaN);
      forMember.set(figures?.pausedForMember ?? Number.NaN);
      waiting.set(figures?.waitingRows ?? Number.NaN);
      stands.set(figures?.standsStillSeconds ?? Number.NaN);
      share.reset();
      for (const [member, value] of figures?.windowShares ?? []) share.set({ member }, value);
    },
  };
}

function buildGauge({ registry }: Metrics) {
  const lost = new Gauge({
    name: 'council_build_without_workers',
    help: '1 for each build of the workers that open runs wait for and that no worker polls for.',
    labelNames: ['build'],
    registers: [registry],
  });
  return {
    /** There is no series if Temporal cannot be read: another metric shows that. */
    refresh: async (read: () => Promise<readonly string[]>): Promise<void> => {
      const builds = await withTimeout(temporalTimeoutMs, read()).catch(() => []);
      lost.reset();
      for (const build of builds) lost.set({ build }, 1);
    },
  };
}

type CostOfDay = Pick<HouseFigures['all'], 'spentUsdMicros' | 'committedUsdMicros'>;

const unknownCost: CostOfDay = { spentUsdMicros: Number.NaN, committedUsdMicros: Number.NaN };

/** Well below Prometheus' scrape timeout of ten seconds, after which it would discard the whole page. */
const databaseTimeoutMs = 2_000;

const temporalTimeoutMs = 2_000;
const sdkTimeoutMs = 2_000;

async function sdkMetrics(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(sdkTimeoutMs) });
    return await response.text();
  } catch {
    return '# the metrics of the Temporal SDK are unavailable\n';
  }
}

/**
 * Whether a request comes directly from this machine or its private network, not through a proxy. Metrics
 * show sales and failures, so only operators may read them.
 */
export function isInternal({ socket, headers }: IncomingMessage): boolean {
  const forwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return !forwarded && privateNetworks.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  privateNetworks.addSubnet(network, prefix, 'ipv4');
}
privateNetworks.addAddress('::1', 'ipv6');
privateNetworks.addSubnet('fc00::', 7, 'ipv6');
