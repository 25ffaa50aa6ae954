import { useQuery } from '@tanstack/react-query';
import { leadingNumber } from '../../../contract/report-text/leading-number.js';
import type { MarketSnapshotView } from '../../../contract/reports.js';
import { useApi } from '../../api/api.js';
import { eventPricesQuery } from '../../api/queries.js';
import { Part } from '../../shared/part.js';
import { PriceChart, type PriceMark } from '../../shared/price-chart.js';
import { type PricePoints, sinceReport } from '../../shared/price-scale.js';
import type { ResultView } from '../completed-view.js';

const daysBefore = 14;

/** So long before the report that its price is seen to come from somewhere. */
function startOf({ created_at: createdAt }: ResultView['report']): string {
  return new Date(Date.parse(createdAt) - daysBefore * 86_400_000).toISOString();
}

/** The market that trades an outcome, and the outcome that its YES stands for. */
function chartedOutcome(snapshot: MarketSnapshotView | null, outcome: string) {
  const markets = snapshot?.markets ?? [];
  const named = markets.find(({ market }) => market === outcome);
  if (named !== undefined) return { slug: named.slug, outcome };
  // An event with one market to trade has its two sides as outcomes.
  const only = markets.find(({ placeholder, outcomes }) => !placeholder && outcomes.includes(outcome));
  return { slug: only?.slug ?? null, outcome: only?.outcomes[0] ?? outcome };
}

/** What an outcome of a report traded at before and after it. */
export interface PriceHistory {
  readonly outcome: string;
  /** Not empty. */
  readonly points: PricePoints;
  readonly mark: PriceMark;
  readonly since: string | null;
}

/** The prices of the most likely outcome. Null while they are read, and if there are none or they cannot be read. */
export function usePriceHistory({ report, runtime }: ResultView): PriceHistory | null {
  const snapshot = report.market_snapshot;
  const { slug, outcome } = chartedOutcome(snapshot, leadingNumber(runtime).outcome);
  const query = useQuery(eventPricesQuery(useApi(), report.event_id, slug, startOf(report)));
  const points = query.data?.points ?? [];
  if (snapshot === null || points.length === 0) return null;
  const market = runtime.market_implied_probabilities[outcome] ?? null;
  const numbers = [
    ['market', market],
    ['council', runtime.market_probabilities[outcome] ?? null],
    ['estimate', runtime.estimate?.probabilities[outcome] ?? null],
  ] as const;
  const mark: PriceMark = {
    at: snapshot.taken_at,
    numbers: numbers.flatMap(([name, percent]) => (percent === null ? [] : [[name, percent] as const])),
  };
  return { outcome, points, mark, since: sinceReport(points, mark.at, market) };
}

export const priceSinceTitle = 'The price since';

export function PriceSincePart({ history }: { history: PriceHistory }) {
  const { outcome, points, mark, since } = history;
  return (
    <Part id="price-since" title={priceSinceTitle}>
      {since === null ? null : <p>{since}</p>}
      <PriceChart of={outcome} points={points} mark={mark} />
    </Part>
  );
}
