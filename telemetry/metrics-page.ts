import type { IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';
import { Gauge, Registry } from 'prom-client';
import type { MoneyInFlight } from '../db/ledger/money-in-flight.js';
import { withTimeout } from '../net/with-timeout.js';
import type { Metrics } from './metrics.js';

/** Renders the figures as they are now. */
export type MetricsPage = () => Promise<string>;

export const metricsContentType = Registry.PROMETHEUS_CONTENT_TYPE;

export interface MetricsSource {
  readonly metrics: Metrics;
  /** Asked at every scrape; what it holds is the same in every process. */
  readonly readMoney: () => Promise<MoneyInFlight>;
  /** Where the Temporal SDK tells its own figures; null for nowhere. */
  readonly sdkUrl: string | null;
}

/** `/metrics` of a process: its own figures, those of the books, and those of the Temporal SDK. */
export function metricsPage({ metrics, readMoney, sdkUrl }: MetricsSource): MetricsPage {
  const money = moneyGauges(metrics);
  return async () => {
    await money.refresh(readMoney);
    const own = await metrics.registry.metrics();
    return sdkUrl === null ? own : `${own}\n${await sdkFigures(sdkUrl)}`;
  };
}

function moneyGauges({ registry }: Metrics) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const up = gauge('council_database_up', '1 while the books can be read.');
  const figures = {
    runs: gauge('council_runs_in_flight', 'Runs that were charged and have come to no end yet.'),
    credits: gauge('council_credits_in_flight', 'Credits held by runs that have come to no end yet.'),
    oldestSeconds: gauge('council_oldest_run_seconds', 'Age of the oldest of those runs.'),
    usageWaiting: gauge(
      'council_usage_waiting',
      'Metered reports that the payment provider was not told of yet.',
    ),
    usageOldestSeconds: gauge('council_oldest_usage_seconds', 'How long the oldest of those has waited.'),
  };
  return {
    /** Books that cannot be read have no figures: an old one would look as if all were well. */
    refresh: async (read: () => Promise<MoneyInFlight>): Promise<void> => {
      try {
        const money = await withTimeout(booksPatienceMs, read());
        up.set(1);
        figures.runs.set(money.runs);
        figures.credits.set(money.credits);
        figures.oldestSeconds.set(money.oldestSeconds);
        figures.usageWaiting.set(money.usageWaiting);
        figures.usageOldestSeconds.set(money.usageOldestSeconds);
      } catch {
        up.set(0);
        for (const each of Object.values(figures)) each.set(Number.NaN);
      }
    },
  };
}

/** Whoever scrapes gives up after ten seconds, and would then hear nothing at all. */
const booksPatienceMs = 2_000;

const sdkPatienceMs = 2_000;

async function sdkFigures(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(sdkPatienceMs) });
    return await response.text();
  } catch {
    return '# the Temporal SDK told no figures\n';
  }
}

/**
 * Whether somebody asks from this machine or its private network, and not through a proxy on behalf of somebody else. Figures
 * are for operators: how much is sold, and what fails, is nobody else's to read.
 */
export function isInternal({ socket, headers }: IncomingMessage): boolean {
  const forwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return !forwarded && internal.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

const internal = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  internal.addSubnet(network, prefix, 'ipv4');
}
internal.addAddress('::1', 'ipv6');
internal.addSubnet('fc00::', 7, 'ipv6');
