import { createHash } from 'node:crypto';
import { at } from '../../../council/numbers.js';
import type { EvidenceSummary } from '../../../council/report.js';
import type { MarketOutcomes, RecordedForecast } from '../../../record/recorded-forecast.js';
import { randomReports } from '../../support/record/random-record.js';

/** One sale and what became of it. All times are in milliseconds since 1970. */
export interface Sale {
  readonly forecast: RecordedForecast;
  readonly end: 'completed' | 'failed';
  readonly soldAt: number;
  readonly endedAt: number;
  /** When the trading of its event ended, or will end. */
  readonly closesAt: number;
  readonly outcomes: MarketOutcomes;
}

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
/** Three sales a day, so that a history of 300 reports began a hundred days ago. */
const betweenSales = 8 * hour;
/** Longer than the time between two receipts, so that each forecast has one from before its outcome. */
const openAfterLastSale = 5 * day;
/** Only a few events are open. */
const newestSaleAgo = 4 * day;
const failedEvery = 25;
const reportsPerEvent = 2.5;

/**
 * The history of an honest service until `now`: reports on all kinds of events, from a seed; some runs overlap, some
 * failed, and the newest events are open.
 */
export function honestHistory(now: number, reportCount: number): Sale[] {
  const made = randomReports(reportCount, Math.round(reportCount / reportsPerEvent));
  const soldAt = made.map((_, index) => {
    const isSecondOfPair = index % 3 === 1;
    return (
      now -
      newestSaleAgo -
      (reportCount - index) * betweenSales -
      (isSecondOfPair ? betweenSales - minute : 0)
    );
  });
  const lastSales = new Map(made.map(({ forecast }, index) => [forecast.event_id, at(soldAt, index)]));
  return made.map(({ forecast, resolutions }, index) => {
    const [sold, ended] = [at(soldAt, index), at(soldAt, index) + 5 * minute];
    return {
      forecast: {
        ...forecast,
        report_id: index + 1,
        evidence: forecast.evidence && {
          ...forecast.evidence,
          sha256: hashOf(evidenceOf(forecast.evidence)),
        },
        prices_at: iso(sold),
        completed_at: iso(ended),
      },
      end: index % failedEvery === failedEvery - 1 ? 'failed' : 'completed',
      soldAt: sold,
      endedAt: ended,
      closesAt: (lastSales.get(forecast.event_id) ?? sold) + openAfterLastSale,
      outcomes: Object.fromEntries(
        Object.entries(resolutions).map(([market, ended]) => [
          market,
          ended === 'unresolved' ? 'void' : ended,
        ]),
      ),
    };
  });
}

/** Evidence that has this summary, but for its hash. */
export function evidenceOf({ status, items }: Pick<EvidenceSummary, 'status' | 'items'>) {
  return { status, items: Array.from({ length: items }, (_, index) => ({ id: `S${index + 1}` })) };
}

function hashOf(evidence: object): string {
  return createHash('sha256').update(JSON.stringify(evidence)).digest('hex');
}

export function iso(time: number): string {
  return new Date(time).toISOString();
}
