import type { MarketSnapshotView } from '../../../contract/reports.js';
import { cents, minute, volume } from '../format.js';

/** The prices that everything was held against. Wide: on a phone it scrolls by itself. */
export function SnapshotTable({ snapshot }: { readonly snapshot: MarketSnapshotView }) {
  return (
    <div className="scroll" role="region" aria-label="Prices at the run" tabIndex={0}>
      <table className="snapshot">
        <caption>Taken on {minute(snapshot.taken_at)}.</caption>
        <thead>
          <tr>
            <th scope="col">Market</th>
            {['Bid', 'Ask', 'Last trade', 'Traded', 'Fee rate'].map(name => (
              <th key={name} scope="col" className="number">
                {name}
              </th>
            ))}
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {snapshot.markets.map(market => (
            <tr key={market.market_id}>
              <th scope="row">{market.market}</th>
              <td className="number">{priceText(market.best_bid)}</td>
              <td className="number">{priceText(market.best_ask)}</td>
              <td className="number">{priceText(market.last_trade)}</td>
              <td className="number">{volume(market.volume)}</td>
              <td className="number">{market.taker_fee.rate}</td>
              <td>{market.placeholder ? 'placeholder' : market.status}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function priceText(price: number | null): string {
  return price === null ? 'none' : cents(price);
}
