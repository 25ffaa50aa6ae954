import type { CouncilModel, Report, ReportEvent } from './api-types.js';
import { CouncilProblem } from './council-problem.js';
import { type EventStream, mayPass, type StreamSource } from './event-stream.js';
import { isLast, reportStream } from './report-events.js';
import { pause } from './retries.js';

/** How far a run is: the stage at work, and who of its members has answered. */
export interface ReportProgress {
  readonly stage: Extract<ReportEvent, { event: 'stage.started' }>['data']['stage'];
  readonly done: number;
  readonly of: number;
  readonly answered: readonly CouncilModel[];
}

export interface WaitOptions {
  /** Called at each change. */
  readonly onProgress?: ((progress: ReportProgress) => void | Promise<void>) | undefined;
  /** How long to wait at most. Default: until the run has ended. */
  readonly timeoutSeconds?: number | undefined;
  /** Ends the waiting, not the run. What is thrown then is the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** What waiting needs of a client. */
export interface ReportSource extends StreamSource {
  readonly retryWithinSeconds: number;
  readReport(
    id: number,
    options: { readonly waitSeconds: number; readonly signal?: AbortSignal | undefined },
  ): Promise<Report>;
}

/**
 * The API compares with the state at the start of a read, so it does not notice a change between two reads.
 * A short wait bounds how long such a change stays unseen.
 */
const readWaitSeconds = 5;
/** After a read without progress, in case a proxy drops `Prefer: wait` and every response comes at once. */
const pauseWithoutProgressMs = 250;
/** Between two tries to reach a service that is away. */
const pauseAwayMs = 1_000;

/**
 * Follows the event stream of a report, or reads the report again and again where there is none, until the run has ended
 * or the time is up.
 * @returns the report as it is then
 */
export async function waitForReport(
  source: ReportSource,
  id: number,
  options: WaitOptions = {},
): Promise<Report> {
  const { onProgress, timeoutSeconds = Number.POSITIVE_INFINITY, signal } = options;
  const untilMs = Date.now() + timeoutSeconds * 1_000;
  const tell = progressTeller(onProgress);
  const stream = reportStream(source, id);
  let canStream = true;
  // Without a stream, the first read does not wait: it shows a caller in mid-stage the present progress at once.
  let previous: string | null = null;
  for (;;) {
    let hasFollowed = false;
    if (canStream && Date.now() < untilMs) {
      const end = await followStream(stream, { tell, untilMs, signal });
      canStream = end === 'cut' || end === 'busy';
      hasFollowed = end === 'ended';
    }
    const secondsLeft = Math.max(0, Math.floor((untilMs - Date.now()) / 1_000));
    const waitSeconds = previous === null || hasFollowed ? 0 : Math.min(secondsLeft, readWaitSeconds);
    const report = await readWhenPossible(source, id, { waitSeconds, signal });
    await tell(report.progress);
    if (hasEnded(report) || secondsLeft === 0) return report;
    const state = JSON.stringify([report.status, report.progress]);
    if (state === previous) await pause(pauseWithoutProgressMs, signal);
    previous = state;
  }
}

function hasEnded({ status }: Pick<Report, 'status'>): boolean {
  return status === 'completed' || status === 'failed';
}

type Tell = (progress: ReportProgress | null) => Promise<void>;

/** Passes on what differs from what was passed on before. */
function progressTeller(onProgress: WaitOptions['onProgress']): Tell {
  let last = '';
  return async progress => {
    const state = JSON.stringify(progress);
    if (progress === null || state === last) return;
    last = state;
    await onProgress?.(progress);
  };
}

interface FollowOptions {
  readonly tell: Tell;
  readonly untilMs: number;
  readonly signal: AbortSignal | undefined;
}

/** `cut`: it was open and may open again. `busy`: it may open later. `missing`: there is none. */
type StreamEnd = 'ended' | 'cut' | 'busy' | 'missing';

/** One connection to the stream. */
async function followStream(
  stream: EventStream<ReportEvent>,
  { tell, untilMs, signal }: FollowOptions,
): Promise<StreamEnd> {
  const time = timeLimit(untilMs, signal);
  let wasOpen = false;
  let progress: ReportProgress | null = null;
  try {
    const onConnection = () => (wasOpen = true);
    for await (const event of stream.connect({ signal: time.signal, onConnection })) {
      if (isLast(event)) return 'ended';
      progress = progressAfter(progress, event);
      await tell(progress);
    }
    return 'cut';
  } catch (error) {
    signal?.throwIfAborted();
    if (time.signal.aborted) return 'cut';
    if (!(error instanceof CouncilProblem)) throw error;
    if (wasOpen) return 'cut';
    return mayPass(error) ? 'busy' : 'missing';
  } finally {
    time.clear();
  }
}

/** A signal that also ends when the time is up. */
function timeLimit(untilMs: number, signal: AbortSignal | undefined) {
  const over = new AbortController();
  // A timer cannot be longer than 24 days, and no run is.
  const isLimited = Number.isFinite(untilMs);
  const timer = isLimited ? setTimeout(() => over.abort(), untilMs - Date.now()) : undefined;
  return {
    signal: signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]),
    clear: () => clearTimeout(timer),
  };
}

/** A lost member is no progress of its own: the stage goes on with the others. */
function progressAfter(before: ReportProgress | null, event: ReportEvent): ReportProgress | null {
  switch (event.event) {
    case 'stage.started':
      return { stage: event.data.stage, done: 0, of: event.data.of, answered: [] };
    case 'member.answered': {
      const { stage, model, done, of } = event.data;
      const answered = before?.stage === stage ? before.answered : [];
      return { stage, done, of, answered: [...answered, model] };
    }
    case 'member.lost':
    case 'report.completed':
    case 'report.failed':
      return before;
  }
}

/**
 * Other programs of the account may hold as many responses as it can. The report is then read without a wait, after the
 * pause that the API asks for. A service that is away for a moment, as while it is deployed, is asked again.
 */
async function readWhenPossible(
  source: ReportSource,
  id: number,
  { waitSeconds, signal }: { readonly waitSeconds: number; readonly signal: AbortSignal | undefined },
): Promise<Report> {
  const giveUpAtMs = Date.now() + source.retryWithinSeconds * 1_000;
  for (let seconds = waitSeconds; ; ) {
    try {
      return await source.readReport(id, { waitSeconds: seconds, signal });
    } catch (error) {
      if (!(error instanceof CouncilProblem)) throw error;
      const pauseMs = pauseAfter(error, seconds);
      const isHeld = error.code === 'rate_limited';
      if (pauseMs === null || (!isHeld && Date.now() + pauseMs > giveUpAtMs)) throw error;
      if (isHeld) seconds = 0;
      await pause(pauseMs, signal);
    }
  }
}

/** Null if another read would fail as well. */
function pauseAfter({ code, retryAfterSeconds }: CouncilProblem, waitSeconds: number): number | null {
  if (code === 'unreachable' || code === 'unexpected_answer') return pauseAwayMs;
  const isHeld = code === 'rate_limited' && waitSeconds > 0;
  // A longer pause is that of another limit.
  if (!isHeld || retryAfterSeconds === null || retryAfterSeconds > readWaitSeconds) return null;
  return retryAfterSeconds * 1_000;
}
