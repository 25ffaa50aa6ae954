import { CouncilProblem } from '../api/api.js';
import { Notice, ProblemNotice } from '../shared/notice.js';

interface BatchFailureProps {
  readonly error: unknown;
  /** The events of the request. */
  readonly events?: readonly string[];
}

/** Why a request about a batch was refused, with the name of the event or field that is not valid. */
export function BatchFailure({ error, events = [] }: BatchFailureProps) {
  const [first] = error instanceof CouncilProblem ? (error.errors ?? []) : [];
  if (first === undefined) return <ProblemNotice error={error} />;
  const [, field = '', place] = (first.pointer ?? '').split('/');
  const event = field === 'events' && place !== undefined ? events[Number(place)] : undefined;
  const name = event ?? fieldNames[field] ?? field;
  return (
    <Notice tone="bad" {...(name === '' ? {} : { title: `${name}:` })}>
      {first.detail.replace(/#\/events\/(\d+)/, (_, earlier: string) => events[Number(earlier)] ?? earlier)}
    </Notice>
  );
}

const fieldNames: Readonly<Record<string, string>> = {
  events: 'Events',
  name: 'Name',
  budget_credits: 'Budget',
  max_credits_each: 'Most credits for one report',
  min_members: 'Fewest valid opinions',
  max_in_flight: 'Most reports that run at once',
};
