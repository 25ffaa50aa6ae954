import { sql } from 'kysely';
import type { Db } from '../database.js';
import { type ListenerTimes, listen } from '../listener.js';

/**
 * Wakes those who wait for a change of a report, with one connection for all of them. Invariants:
 * - the end of a report wakes those who watch it, by a trigger in the transaction that ends it (migration 0022);
 * - so does its progress, by `notifyOfProgress`. A process that dies before it notifies only delays its being seen;
 * - a watch that begins before the report is read misses no later change;
 * - while notifications do not arrive, a watch wakes every two seconds, so that nobody waits in vain.
 */
export interface ReportChanges {
  /** Must be stopped. */
  readonly watch: (reportId: number) => ReportWatch;
  /**
   * Calls the listener with each report that may have changed, and with null when any of them may have.
   * @returns how to stop it
   */
  readonly subscribe: (listener: (reportId: number | null) => void) => () => void;
  /** False while the connection is lost. */
  readonly isListening: () => boolean;
  readonly close: () => Promise<void>;
}

export interface ReportWatch {
  /**
   * Resolves when the report may have changed since the last call, when the time is up, or when the signal is aborted.
   */
  readonly next: (waitMaxMs: number, signal: AbortSignal) => Promise<void>;
  readonly stop: () => void;
}

interface Options {
  readonly databaseUrl: string;
  readonly onError: (error: unknown, what: string) => void;
  /** Tests shorten them. */
  readonly times?: ListenerTimes;
}

/** Also in the trigger. */
const channel = 'report_changed';
const unheardPollMs = 2_000;

export function listenForReportChanges({ onError, ...address }: Options): ReportChanges {
  const watches = new Map<number, Set<Watch>>();
  let isListening = false;
  const listeners = new Set<(reportId: number | null) => void>();
  const wakeAll = () => {
    for (const listener of listeners) listener(null);
    for (const ofReport of watches.values()) for (const watch of ofReport) watch.wake();
  };
  const listener = listen(
    { ...address, channel },
    {
      onMessage: reportId => {
        for (const listener of listeners) listener(Number(reportId));
        for (const watch of watches.get(Number(reportId)) ?? []) watch.wake();
      },
      onListening: () => {
        isListening = true;
        // A change could have happened while nothing arrived.
        wakeAll();
      },
      onLost: error => {
        isListening = false;
        onError(error, 'changes of reports are not heard, and are looked for every two seconds');
        wakeAll();
      },
    },
  );
  return {
    watch: reportId => {
      const watch = new Watch();
      const ofReport = watches.get(reportId) ?? new Set();
      watches.set(reportId, ofReport.add(watch));
      return {
        next: (waitMaxMs, signal) =>
          watch.next(isListening ? waitMaxMs : Math.min(waitMaxMs, unheardPollMs), signal),
        stop: () => {
          ofReport.delete(watch);
          if (ofReport.size === 0) watches.delete(reportId);
        },
      };
    },
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isListening: () => isListening,
    close: listener.close,
  };
}

/**
 * Tells those who watch the report that it has progressed. After the commit of the progress, never within: a transaction
 * that notifies holds a lock of the whole server until its commit is on disk, and answers would be stored one at a time.
 * This statement alone waits for no disk. Nobody waits for it, and a lost notification delays only what callers see.
 */
export function notifyOfProgress(db: Db, reportId: number): void {
  sql`select pg_notify(${channel}, ${String(reportId)})`.execute(db).catch(() => undefined);
}

/** One who waits. A change while nobody waits is kept for the next call. */
class Watch {
  private hasChanged = false;
  private resume: (() => void) | null = null;

  wake(): void {
    this.hasChanged = true;
    this.resume?.();
  }

  async next(waitMaxMs: number, signal: AbortSignal): Promise<void> {
    if (!this.hasChanged && !signal.aborted) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resume, waitMaxMs);
        function resume(): void {
          clearTimeout(timer);
          signal.removeEventListener('abort', resume);
          resolve();
        }
        signal.addEventListener('abort', resume);
        this.resume = resume;
      });
    }
    this.resume = null;
    this.hasChanged = false;
  }
}
