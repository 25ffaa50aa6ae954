import type { UseQueryResult } from '@tanstack/react-query';
import { Notice } from './notice.js';

interface StaleNoticeProps {
  readonly query: Pick<UseQueryResult, 'isPaused' | 'isError' | 'failureCount'>;
}

/** Says that what is shown may be out of date, while its query cannot be updated and keeps trying. */
export function StaleNotice({ query: { isPaused, isError, failureCount } }: StaleNoticeProps) {
  if (!isPaused && !isError && failureCount === 0) return null;
  return (
    <Notice tone="warn" title="Cannot update.">
      {isPaused ? 'You are offline.' : 'The service does not respond.'} This page may be out of date. It keeps
      trying.
    </Notice>
  );
}
