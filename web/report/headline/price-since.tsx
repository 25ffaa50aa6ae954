import { useQuery } from '@tanstack/react-query';
import { leadingNumber } from '../../../contract/report-text/leading-number.js';
import type { MarketSnapshotView } from '../../../contract/reports.js';
import { useApi } from '../../api/api.js';
import { eventPricesQuery } from '../../api/queries.js';
import { Part } from '../../shared/part.js';
import { PriceChart, type PriceMark } from '../../shared/price-chart.js';
import { sinceReport } from '../../shared/price-scale.js';
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

/** What the most likely outcome traded at before and after the report. Nothing, if it cannot be read. */
export function PriceSince({ report, runtime }: ResultView) {
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
  const since = sinceReport(points, mark.at, market);
  return (
    <Part id="price-since" title="The price since">
      {since === null ? null : <p>{since}</p>}
      <PriceChart of={outcome} points={points} mark={mark} />
    </Part>
  );
}
