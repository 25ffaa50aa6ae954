import { Link } from 'react-router';
import type { MarketSnapshotView, ReportView } from '../../../contract/reports.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { cents, memberName, minute, volume } from '../../shared/format.js';
import { FoldedPart } from '../../shared/part.js';
import { TableHead } from '../../shared/table-head.js';
import type { CompletedView } from '../completed-view.js';
import { Calculation } from './calculation.js';
import { thresholdName } from './format-thresholds.js';
import { RulesAsSold } from './rules-as-sold.js';

/** How the numbers are calculated, and everything needed to calculate them again. */
export function ProvenancePart(completed: CompletedView) {
  const { report, runtime } = completed;
  return (
    <FoldedPart
      id="provenance"
      title="How it is calculated"
      inside="Formulas, models, thresholds, prices, record"
    >
      <Calculation runtime={runtime} />
      <h3>Method, models and record</h3>
      <Facts {...completed} />
      <p className="on-paper">
        Not printed: what is cited to each source, the whole forecast of each member and what would change it,
        the critiques, the thresholds and the prices of every market. The page has them.
      </p>
      <details className="on-screen">
        <summary>Thresholds</summary>
        <ThresholdTable thresholds={runtime.method.thresholds} />
      </details>
      {report.market_snapshot === null ? null : <RulesAsSold snapshot={report.market_snapshot} />}
      {report.market_snapshot === null ? null : (
        <details className="on-screen">
          <summary>Market snapshot</summary>
          <SnapshotTable snapshot={report.market_snapshot} />
        </details>
      )}
    </FoldedPart>
  );
}

function Facts({ report, runtime, deliberation }: CompletedView) {
  const { method } = runtime;
  const models = deliberation.opinions.map(({ model, model_id: id }) => `${memberName(model)} (${id})`);
  return (
    <dl className="provenance">
      <dt>Method</dt>
      <dd>
        {method.name}: {method.pooling}. No text of a model changes a number.
      </dd>
      <dt>Models</dt>
      <dd>{models.join(', ')}</dd>
      <dt>Chairman</dt>
      <dd>{memberName(runtime.chairman)}</dd>
      <dt>Prices read</dt>
      <dd>
        <time dateTime={runtime.prices_at}>{minute(runtime.prices_at)}</time>,{' '}
        {runtime.quote_age_seconds.toFixed(1)} seconds before the report was completed
      </dd>
      {runtime.evidence === null ? null : <EvidenceFacts evidence={runtime.evidence} />}
      <dt>Public record</dt>
      <dd>
        <Entry record={report.record} />
      </dd>
    </dl>
  );
}

/** The hash is part of the entry of the public record. */
function EvidenceFacts({ evidence }: { readonly evidence: NonNullable<RuntimeView['evidence']> }) {
  return (
    <>
      <dt>Sources</dt>
      <dd>
        {evidence.items}, in the record by their hash <code>{evidence.sha256}</code>
      </dd>
    </>
  );
}

function Entry({ record }: Pick<ReportView, 'record'>) {
  if (record === null) return 'No entry yet.';
  return (
    <>
      Entry {record.seq} of the <Link to="/track-record">tamper-evident record</Link>, hash{' '}
      <code>{record.hash}</code>
    </>
  );
}

/** The prices of the run. Too wide for a phone, where it scrolls horizontally. */
function SnapshotTable({ snapshot }: { readonly snapshot: MarketSnapshotView }) {
  return (
    <div className="scroll" role="region" aria-label="Prices of the run" tabIndex={0}>
      <table className="snapshot">
        <caption>Prices read on {minute(snapshot.taken_at)}.</caption>
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
              <td className="number">{volume(market.volume, snapshot.volume_unit)}</td>
              <td className="number">{market.taker_fee?.rate ?? 'unknown'}</td>
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

interface ThresholdTableProps {
  readonly thresholds: RuntimeView['method']['thresholds'];
}

function ThresholdTable({ thresholds }: ThresholdTableProps) {
  return (
    <table className="thresholds">
      <caption className="unseen">Thresholds</caption>
      <TableHead texts={['Threshold']} numbers={['Value']} />
      <tbody>
        {Object.entries(thresholds).map(([key, value]) => (
          <tr key={key}>
            <th scope="row">{thresholdName(key)}</th>
            <td className="number">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
