import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { flushSync } from 'react-dom';
import { type Api, useApi } from '../api/api.js';

/** The pause before the stream is opened again. Until then the page asks for changes by itself. */
const reopenAfterMs = 3_000;

interface Following {
  readonly id: number;
  readonly isRunning: boolean;
  /** Called with true when the stream is open, and with false when it has ended. */
  readonly follow: (isFollowed: boolean) => void;
}

/**
 * Reads a running report again at each event of its stream. `EventSource` would do less: it sends no credential. The
 * events are a signal only, so the stream is always followed from its beginning.
 */
export function useReportStream({ id, isRunning, follow }: Following): void {
  const api = useApi();
  const client = useQueryClient();
  useEffect(() => {
    if (!isRunning) return undefined;
    const leaving = new AbortController();
    const onChange = () => void client.invalidateQueries({ queryKey: ['private', 'report', id] });
    // At once: the readings that the first events ask for must not be held.
    const onOpen = () => flushSync(() => follow(true));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const open = async () => {
      await readStream(api, id, { onOpen, onChange, signal: leaving.signal }).catch(() => undefined);
      follow(false);
      if (!leaving.signal.aborted) timer = setTimeout(open, reopenAfterMs);
    };
    void open();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [api, client, id, isRunning, follow]);
}

interface StreamReader {
  readonly onOpen: () => void;
  readonly onChange: () => void;
  readonly signal: AbortSignal;
}

async function readStream(api: Api, id: number, { onOpen, onChange, signal }: StreamReader): Promise<void> {
  const reader = (await api.followReport(id, signal))?.getReader();
  if (reader === undefined) return;
  onOpen();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    if (tellsOfEvent.test(decoder.decode(value, { stream: true }))) onChange();
  }
}

/** An event has a line of each kind, so a part of one has at least one of them. Comments have none. */
const tellsOfEvent = /^(id|event|data):/m;
