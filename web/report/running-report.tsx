import { useState } from 'react';
import { Link } from 'react-router';
import type { ProgressView, ReportView } from '../../contract/reports.js';
import { memberName } from '../shared/format.js';
import { progressText, type StageStep, stageSteps } from './format-report.js';

/** The stages of a run, and who has answered in the current one. */
export function RunningReport({ report }: { readonly report: ReportView }) {
  const searches = useSearches(report.progress);
  return (
    <section className="running" aria-labelledby="progress">
      <h2 id="progress">Run in progress</h2>
      <p aria-hidden="true">{progressText(report)}</p>
      <ol className="stages">
        {stageSteps(report.progress, searches).map(step => (
          <Stage key={step.stage} step={step} progress={report.progress} />
        ))}
      </ol>
      <p className="muted">
        A run takes one or two minutes and continues if you leave this page. You will find the report under{' '}
        <Link to="/reports">your reports</Link>.
      </p>
    </section>
  );
}

/**
 * Whether the members of the run search. Only the stage tells: a run that does not search begins with the opinions. So
 * the search is listed from when it is seen, and stays listed.
 */
function useSearches(progress: ProgressView | null): boolean {
  const isSearching = progress?.stage === 'research';
  const [hasSearched, setHasSearched] = useState(isSearching);
  if (isSearching && !hasSearched) setHasSearched(true);
  return isSearching || hasSearched;
}

const stateNames = { done: 'Done', now: 'In progress', next: 'Up next' } as const;

function Stage({ step, progress }: { step: StageStep; progress: ProgressView | null }) {
  const isCurrent = step.state === 'now';
  return (
    <li className={`stage ${step.state}`} {...(isCurrent ? { 'aria-current': 'step' } : {})}>
      <h3>
        {step.name} <span className="pill">{stateNames[step.state]}</span>
      </h3>
      <p>{step.description}</p>
      {isCurrent && progress !== null ? <Answered progress={progress} /> : null}
    </li>
  );
}

const spacing = 22;
const radius = 7;

/** A mark per call of the stage, filled once the member has answered. */
function Answered({ progress: { done, of, answered } }: { progress: ProgressView }) {
  return (
    <p className="answered">
      <svg width={of * spacing} height={2 * radius + 4} aria-hidden="true">
        {Array.from({ length: of }, (_, index) => (
          <circle
            key={index}
            className={index < done ? 'in' : 'out'}
            cx={index * spacing + radius + 2}
            cy={radius + 2}
            r={radius}
          />
        ))}
      </svg>
      <span>
        {done} of {of}
        {answered.length === 0 ? '' : `: ${answered.map(memberName).join(', ')}`}
      </span>
    </p>
  );
}
