import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { flushSync } from 'react-dom';
import { reportEvents } from '../../client/report-events.js';
import { useApi } from '../api/api.js';

interface Following {
  readonly id: number;
  readonly isRunning: boolean;
  /** Called with true when the stream is open, and with false when it has ended. Until then the page asks for changes itself. */
  readonly follow: (isFollowed: boolean) => void;
}

/** Reads a running report again at each event of its stream. `EventSource` would do less: it sends no credential. */
export function useReportStream({ id, isRunning, follow }: Following): void {
  const api = useApi();
  const client = useQueryClient();
  useEffect(() => {
    if (!isRunning) return undefined;
    const leaving = new AbortController();
    const readAgain = async () => {
      // At once: the readings that the first events ask for must not be held.
      const onConnection = (isOpen: boolean) => (isOpen ? flushSync(() => follow(true)) : follow(false));
      const options = {
        signal: leaving.signal,
        onConnection,
        reconnectWithinSeconds: Number.POSITIVE_INFINITY,
      };
      for await (const _ of reportEvents(api.streams, id, options)) {
        void client.invalidateQueries({ queryKey: ['private', 'report', id] });
      }
    };
    // A stream that is refused leaves the page to its own requests.
    readAgain().catch(() => undefined);
    return () => leaving.abort();
  }, [api, client, id, isRunning, follow]);
}
