import { noMarketsText } from '../../contract/callers/event-text.js';
import type { EventMarketView, EventView } from '../../contract/events.js';
import { cents, volume } from '../shared/format.js';
import { TableHead } from '../shared/table-head.js';
import { byPrice, eventKindText, marketName, marketStatusText } from './format-markets.js';

const shownMax = 12;

/** The prices of every market. If there are many, those with lower prices are collapsed. */
export function MarketTables({ event }: { readonly event: EventView }) {
  if (event.markets.length === 0) return <p>{noMarketsText}</p>;
  const markets = byPrice(event.markets);
  const folded = markets.length > shownMax ? markets.slice(shownMax) : [];
  const shown = markets.slice(0, markets.length - folded.length);
  return (
    <>
      <MarketTable caption={eventKindText(event)} markets={shown} unit={event.volume_unit} />
      {folded.length === 0 ? null : (
        <details className="more">
          <summary>{folded.length} more markets</summary>
          <MarketTable caption="Other markets" markets={folded} unit={event.volume_unit} />
        </details>
      )}
    </>
  );
}

function MarketTable({
  caption,
  markets,
  unit,
}: {
  caption: string;
  markets: readonly EventMarketView[];
  unit: EventView['volume_unit'];
}) {
  return (
    <table className="prices">
      <caption>{caption}</caption>
      <TableHead texts={['Market']} numbers={['Price', 'Bid', 'Ask', 'Traded']} />
      <tbody>
        {markets.map(market => (
          <MarketRow key={market.slug} market={market} unit={unit} />
        ))}
      </tbody>
    </table>
  );
}

function MarketRow({ market, unit }: { market: EventMarketView; unit: EventView['volume_unit'] }) {
  const { yes_price: price, best_bid: bid, best_ask: ask } = market;
  return (
    <tr>
      <th scope="row">
        {marketName(market)} <span className="market-status">{marketStatusText(market)}</span>
        {price === null ? null : (
          <svg className="price-bar" height="4" aria-hidden="true">
            <rect className="track" width="100%" height="4" rx="2" />
            <rect className="bar" width={`${price * 100}%`} height="4" rx="2" />
          </svg>
        )}
      </th>
      <td className="number price">{price === null ? 'none' : cents(price)}</td>
      <td className="number">{bid === null ? 'none' : cents(bid)}</td>
      <td className="number">{ask === null ? 'none' : cents(ask)}</td>
      <td className="number">{volume(market.volume, unit)}</td>
    </tr>
  );
}
