import { useQuery } from '@tanstack/react-query';
import { leadingNumber } from '../../../contract/report-text/leading-number.js';
import { useApi } from '../../api/api.js';
import { eventPricesQuery } from '../../api/queries.js';
import { Part } from '../../shared/part.js';
import { PriceChart, type PriceMark } from '../../shared/price-chart.js';
import { sinceReport } from '../../shared/price-scale.js';
import type { ResultView } from '../completed-view.js';

/** What the most likely outcome traded at before and after the report. Nothing, if it cannot be read. */
export function PriceSince({ report, runtime }: ResultView) {
  const { outcome } = leadingNumber(runtime);
  const snapshot = report.market_snapshot;
  const slug = snapshot?.markets.find(each => each.market === outcome || each.question === outcome)?.slug;
  const query = useQuery(eventPricesQuery(useApi(), report.event_id, slug ?? null));
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
