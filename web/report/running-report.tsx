import { useState } from 'react';
import { Link } from 'react-router';
import type { ProgressView, ReportView } from '../../contract/reports.js';
import { memberName } from '../shared/format.js';
import { progressText, type StageStep, stageSteps } from './format-report.js';

/** The stages of a run in one line, and who has answered in the current one. */
export function RunningReport({ report: { status, progress } }: { readonly report: ReportView }) {
  const steps = stageSteps(progress, useSearches(progress));
  const current = steps.find(({ state }) => state === 'now');
  return (
    <section className="running" aria-labelledby="progress">
      <h2 id="progress">Run in progress</h2>
      <ol className="stages" aria-label="Stages">
        {steps.map(step => (
          <Stage key={step.stage} step={step} progress={progress} />
        ))}
      </ol>
      {current === undefined || progress === null ? (
        <p>{progressText({ status, progress })}</p>
      ) : (
        <>
          <p>{current.description}</p>
          <Answered progress={progress} />
        </>
      )}
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

function Stage({ step: { name, state }, progress }: { step: StageStep; progress: ProgressView | null }) {
  return (
    <li className={`stage ${state}`} {...(state === 'now' ? { 'aria-current': 'step' } : {})}>
      <span className="stage-name">{name}</span>{' '}
      <span className="stage-state">{stateText(state, progress)}</span>
    </li>
  );
}

/** "3 of 4" of the current stage. */
function stateText(state: StageStep['state'], progress: ProgressView | null): string {
  if (state === 'now' && progress !== null) return `${progress.done} of ${progress.of}`;
  return state === 'done' ? 'done' : 'next';
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
        {answered.length === 0
          ? 'Nobody has answered yet.'
          : `Answered: ${answered.map(memberName).join(', ')}`}
      </span>
    </p>
  );
}
