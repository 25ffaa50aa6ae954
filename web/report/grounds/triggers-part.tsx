import type { SynthesisView } from '../../../contract/deliberation.js';
import {
  subjectText,
  triggerLead,
  triggerNumbers,
  triggersText,
  triggersTitle,
} from '../../../contract/report-text/trigger-text.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { day, memberName, withNoBreak } from '../../shared/format.js';
import { Part } from '../../shared/part.js';

interface TriggersPartProps {
  readonly triggers: SynthesisView['triggers'];
  readonly runtime: RuntimeView;
}

/** The events that would change the forecast, with the members' own numbers. The conditions are shown as written. */
export function TriggersPart({ triggers, runtime }: TriggersPartProps) {
  const { subject } = runtime;
  return (
    <Part id="triggers" title={triggersTitle}>
      {subject === null ? null : (
        <p>
          “{subject}” {withNoBreak(subjectText(runtime, subject))}.
        </p>
      )}
      <ul className="triggers">
        {triggers.map((trigger, index) => (
          <li key={index} className={trigger.direction}>
            <span className="trigger-lead">{triggerLead({ ...trigger, by: day(trigger.by) })}</span>{' '}
            <bdi className="as-written">{trigger.if}</bdi>{' '}
            <span className="muted small">{withNoBreak(triggerNumbers(trigger, memberName))}</span>
          </li>
        ))}
      </ul>
      <p className="muted small">{triggersText}</p>
    </Part>
  );
}
