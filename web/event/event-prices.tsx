import { useQuery } from '@tanstack/react-query';
import type { EventView } from '../../contract/events.js';
import { useApi } from '../api/api.js';
import { eventPricesQuery } from '../api/queries.js';
import { PriceChart } from '../shared/price-chart.js';
import { byPrice, chartedMarket, marketName } from './format-markets.js';

/** The past prices of the event's most likely market. Nothing, if there are none or they cannot be read. */
export function EventPrices({ event }: { readonly event: EventView }) {
  const market = byPrice(event.markets)[0];
  const query = useQuery(eventPricesQuery(useApi(), event.event_id, chartedMarket(event)));
  const points = query.data?.points ?? [];
  if (market === undefined || points.length === 0) return null;
  return (
    <>
      <h3>Past prices: {marketName(market)}</h3>
      <PriceChart of={marketName(market)} points={points} />
    </>
  );
}
