import { Fragment } from 'react';
import {
  type BaseRateRow,
  baseRateRows,
  baseRatesTitle,
  outsideViewText,
  ratesText,
  type ViewPath,
  viewPaths,
} from '../../../contract/report-text/grounds-text.js';
import { memberName, percentText } from '../../shared/format.js';
import { FoldedPart } from '../../shared/part.js';
import { TableHead } from '../../shared/table-head.js';
import type { CompletedView } from '../completed-view.js';
import { CitedSource } from '../sources/citation.js';
import type { Source } from '../sources/claims.js';

/** Whether a member named a base rate. None did in reports of 1.0.0. */
export function hasBaseRates({ runtime, deliberation }: Pick<CompletedView, 'runtime' | 'deliberation'>) {
  return runtime.outside_view.length > 0 || baseRateRows(deliberation.opinions).length > 0;
}

/** How often comparable events ended this way, by member, and the way from there to the estimate. */
export function BaseRatesPart({ runtime, deliberation: { opinions, evidence } }: CompletedView) {
  const paths = viewPaths(runtime, opinions);
  const rows = baseRateRows(opinions);
  return (
    <FoldedPart id="base-rates" title={baseRatesTitle} inside={insideText(paths)}>
      {paths.length === 0 ? null : <Paths paths={paths} />}
      {rows.length === 0 ? null : <BaseRateTable rows={rows} sources={evidence?.items ?? []} />}
    </FoldedPart>
  );
}

/** Of the first outcome: "Base rates alone say 42.1 %, the estimate 40.6 %" */
function insideText(paths: readonly ViewPath[]): string {
  const [first, ...later] = paths[0]?.steps ?? [];
  const last = later.findLast(({ name }) => name !== 'market');
  if (first === undefined || last === undefined) return 'How often comparable events ended this way';
  return `Base rates alone say ${percentText(first.percent)}, the ${last.name} ${percentText(last.percent)}`;
}

/** From what base rates alone say, step by step, to the number that bets are priced by. */
function Paths({ paths }: { paths: readonly ViewPath[] }) {
  return (
    <>
      <p>{outsideViewText(paths)}</p>
      {paths.map(path => (
        <div key={path.outcome} className="view-path">
          <p className="as-written">
            <strong>{path.outcome}</strong>
          </p>
          <ol>
            {path.steps.map(({ name, percent }) => (
              <li key={name} className={name}>
                <span>{name}</span> <strong className="number">{percentText(percent)}</strong>
              </li>
            ))}
          </ol>
          <p className="muted small">Outside view: {path.members.map(memberPercent).join(', ')}</p>
        </div>
      ))}
    </>
  );
}

const memberPercent = ({ model, percent }: ViewPath['members'][number]) =>
  `${memberName(model)} ${percentText(percent)}`;

interface BaseRateTableProps {
  readonly rows: readonly BaseRateRow[];
  readonly sources: readonly Source[];
}

/** Reference classes and periods are the members' words, rendered as plain text. */
function BaseRateTable({ rows, sources }: BaseRateTableProps) {
  return (
    <table className="base-rates">
      <caption>{ratesText(rows)}</caption>
      <TableHead texts={['Reference class']} numbers={['k of n', 'Rate']} />
      <tbody>
        {rows.map(({ model, outcome, rate }, index) => (
          <tr key={index}>
            <th scope="row">
              <span className="of">
                {memberName(model)}
                {outcome === null ? '' : `, of “${outcome}”`}
              </span>
              <bdi className="as-written">{rate.reference_class}</bdi>{' '}
              <span className="of">
                {rate.period}{' '}
                {rate.sources.map(id => (
                  <Fragment key={id}>
                    <CitedSource id={id} source={sources.find(each => each.id === id)} />{' '}
                  </Fragment>
                ))}
              </span>
            </th>
            <td className="number">
              {rate.k} of {rate.n}
            </td>
            <td className="number">{percentText(rate.rate)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
