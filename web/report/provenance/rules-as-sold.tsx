import { deadlines, marketsWithOwnRules, rulesTitle } from '../../../contract/report-text/rules-text.js';
import type { MarketSnapshotView } from '../../../contract/reports.js';
import { minute } from '../../shared/format.js';

/** The rules that the report was made by, as the venue stated them, and what decides. Texts are shown as written. */
export function RulesAsSold({ snapshot }: { readonly snapshot: MarketSnapshotView }) {
  const { rules, rules_sha256: sha256, settlement_sources: sources, markets } = snapshot;
  return (
    <details className="on-screen">
      <summary>{rulesTitle}</summary>
      {rules === '' ? null : <p className="as-written">{rules}</p>}
      {marketsWithOwnRules(snapshot).map(market => (
        <p key={market.market_id} className="as-written">
          <strong>{market.market}</strong>: {market.rules}
        </p>
      ))}
      {sources.length === 0 ? null : (
        <p>
          Decided by: <span className="as-written">{sources.map(sourceText).join(', ')}</span>
        </p>
      )}
      {deadlines(markets, minute).map(({ market, text }) => (
        <p key={market} className="as-written">
          {market === null ? text : `${market}: ${text}`}
        </p>
      ))}
      <p className="muted small">
        SHA-256 of the rules: <code>{sha256}</code>
      </p>
    </details>
  );
}

/** Without a link: the address is the venue's text. */
function sourceText({ name, url }: MarketSnapshotView['settlement_sources'][number]): string {
  return url === null || url === name ? name : `${name} (${url})`;
}
