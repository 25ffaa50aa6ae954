import type { RuntimeView } from '../../../contract/runtime.js';

interface ConfidenceFigureProps {
  readonly confidence: number | null;
  readonly thresholds: RuntimeView['method']['thresholds'];
}

/** How much weight the number deserves, beside the most that it could. */
export function ConfidenceFigure({ confidence, thresholds }: ConfidenceFigureProps) {
  const most = thresholds['confidence_max'] ?? 100;
  const zero = thresholds['confidence_spread_zero'];
  if (confidence === null) return null;
  return (
    <div className="confidence">
      <dt>Confidence</dt>
      <dd className="answer">
        {confidence} <span className="of">of {most} at most</span>
      </dd>
      <dd>
        <svg className="meter" height="8" aria-hidden="true">
          <rect className="track" width="100%" height="8" rx="4" />
          <rect className="fill" width={`${(100 * confidence) / most}%`} height="8" rx="4" />
        </svg>
      </dd>
      <dd className="muted">
        How much weight the number deserves. It is no chance of being right: models err together, so even four
        that agree never count as certain.
      </dd>
      <dd>
        <details>
          <summary>How it is reckoned</summary>
          <p>
            Half of it is agreement, which falls to nothing as the widest gap between members grows
            {zero === undefined ? '' : ` to ${zero * 100} points`}. The other half is the median of what the
            members say of themselves. It is lowered for every model lost and in conflict, and has not been
            calibrated: it ranks reports by how much weight they deserve.
          </p>
        </details>
      </dd>
    </div>
  );
}
