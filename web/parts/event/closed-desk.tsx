import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useApi } from '../../api/api-context.js';
import { offerQuery } from '../../api/private-queries.js';

interface ClosedDeskProps {
  readonly eventId: string;
  readonly isMember: boolean;
}

/** What is left to do on an event that is over. */
export function ClosedDesk({ eventId, isMember }: ClosedDeskProps) {
  const offer = useQuery({ ...offerQuery(useApi(), eventId, 'credits'), enabled: isMember });
  const reportId = offer.data?.check?.report_id;
  return (
    <>
      <p>
        This event no longer trades, so there is no price to hold a council against, and no new report can be
        made.
      </p>
      <p>
        {reportId === undefined ? (
          <Link to="/">Search the open events</Link>
        ) : (
          <Link to={`/reports/${reportId}`}>Read your report of today</Link>
        )}
      </p>
    </>
  );
}
