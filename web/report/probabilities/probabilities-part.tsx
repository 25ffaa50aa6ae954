import { Link } from 'react-router';
import {
  estimateNotes,
  type NumberName,
  numberText,
  shownNumbers,
} from '../../../contract/report-text/estimate-text.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { Fold } from '../../shared/fold.js';
import { Part } from '../../shared/part.js';
import type { ResultView } from '../completed-view.js';
import { outcomeText } from '../grade/format-grade.js';
import { DistributionFigure } from './distribution-figure.js';
import { distributionRows, marketBasisText, numberTitles } from './distribution-rows.js';
import { LegendMark } from './dot-plot.js';
import { MostLikely } from './most-likely.js';
import { OtherVenue } from './other-venue.js';

/** The three numbers: of the most likely outcome at a glance, then of every outcome. */
export function ProbabilitiesPart({ report, runtime }: ResultView) {
  const numbers = shownNumbers(runtime);
  return (
    <Part id="probabilities" title={probabilitiesTitle(runtime)}>
      {report.grade === null ? null : (
        <p className="since">
          <strong>Outcome:</strong> {outcomeText(report.grade, runtime.exclusive)}{' '}
          <a href="#grade">See how the report scored</a>
        </p>
      )}
      <MostLikely runtime={runtime} />
      <DistributionFigure rows={distributionRows(report, runtime)} numbers={numbers} />
      {runtime.estimate === null ? null : <EstimateLimits runtime={runtime} />}
      {report.other_venue === undefined ? null : <OtherVenue prices={report.other_venue} />}
      <Fold summary="What these numbers are" className="meanings">
        <Meanings numbers={numbers} runtime={runtime} />
      </Fold>
    </Part>
  );
}

/** What the estimate leaves out. Why there is none is said beside the number that leads in its place. */
function EstimateLimits({ runtime }: { runtime: RuntimeView }) {
  return estimateNotes(runtime).map(note => (
    <p key={note} className="small">
      {note}
    </p>
  ));
}

/** "Estimate, council and market" */
export function probabilitiesTitle({ estimate }: Pick<RuntimeView, 'estimate'>): string {
  return estimate === null ? 'Council and market' : 'Estimate, council and market';
}

function Meanings({ numbers, runtime }: { numbers: readonly NumberName[]; runtime: RuntimeView }) {
  return (
    <>
      <ul className="plain">
        {numbers.map(name => (
          <li key={name}>
            <LegendMark of={name} />
            <span>
              <strong>{numberTitles[name]}</strong>: {numberText(name)}
            </span>
          </li>
        ))}
        <li>
          <LegendMark of="member" />
          <span>Each member’s final forecast.</span>
        </li>
      </ul>
      <p>
        {runtime.exclusive
          ? `Exactly one of these outcomes happens, so the probabilities of ${estimateAndCouncil(numbers)} add up to 100 %.`
          : 'These are separate questions. Several may come true, or none, so they do not add up to 100 %.'}{' '}
        {marketBasisText(runtime)} <Link to="/track-record#scores">How good each number has been</Link>: all
        are graded once the event is resolved.
      </p>
    </>
  );
}

function estimateAndCouncil(numbers: readonly NumberName[]): string {
  return numbers.includes('estimate') ? 'estimate and council' : 'the council';
}
