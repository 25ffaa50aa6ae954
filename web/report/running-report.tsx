import { Link } from 'react-router';
import type { ProgressView, ReportView } from '../../contract/reports.js';
import { memberName } from '../shared/format.js';
import { progressText, type StageStep, stageSteps } from './format-report.js';

/** How far the council has come. */
export function RunningReport({ report }: { readonly report: ReportView }) {
  return (
    <section className="running" aria-labelledby="progress">
      <h2 id="progress">The council is at work</h2>
      <p aria-hidden="true">{progressText(report)}</p>
      <ol className="stages">
        {stageSteps(report.progress).map(step => (
          <Stage key={step.stage} step={step} progress={report.progress} />
        ))}
      </ol>
      <p className="muted">
        A run takes a minute or two, and goes on whether or not you watch it. You find it again under{' '}
        <Link to="/reports">your reports</Link>.
      </p>
    </section>
  );
}

const standings = { done: 'done', now: 'at work', next: 'to come' } as const;

function Stage({ step, progress }: { step: StageStep; progress: ProgressView | null }) {
  const isNow = step.standing === 'now';
  return (
    <li className={`stage ${step.standing}`} {...(isNow ? { 'aria-current': 'step' } : {})}>
      <h3>
        {step.name} <span className="pill">{standings[step.standing]}</span>
      </h3>
      <p>{step.what}</p>
      {isNow && progress !== null ? <Answered progress={progress} /> : null}
    </li>
  );
}

const spacing = 22;
const radius = 7;

/** A mark for everybody who is asked, filled for those who have answered. */
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
