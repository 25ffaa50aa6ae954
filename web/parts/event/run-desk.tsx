import { useQuery } from '@tanstack/react-query';
import type { EventView } from '../../../contract/events.js';
import { useApi } from '../../api/api-context.js';
import { sessionQuery } from '../../api/private-queries.js';
import { ProblemNotice } from '../problem-notice.js';
import { ClosedDesk } from './closed-desk.js';
import { MemberDesk } from './member-desk.js';
import { VisitorDesk } from './visitor-desk.js';

/** Where a report on the event is bought. Who is here is only known in a browser; until then the price is all there is. */
export function RunDesk({ event }: { readonly event: EventView }) {
  const session = useQuery({ ...sessionQuery(useApi()), enabled: typeof document !== 'undefined' });
  if (session.isError) return <ProblemNotice error={session.error} onRetry={() => void session.refetch()} />;
  const isMember = session.data !== undefined && session.data !== null;
  if (event.status === 'closed') return <ClosedDesk eventId={event.event_id} isMember={isMember} />;
  if (isMember) return <MemberDesk eventId={event.event_id} />;
  return <VisitorDesk eventId={event.event_id} known={session.data !== undefined} />;
}
