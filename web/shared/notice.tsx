import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { ApiProblem } from '../api/api.js';

interface NoticeProps {
  /** `bad` and `warn` are read out at once by a screen reader. */
  readonly tone: 'plain' | 'good' | 'warn' | 'bad';
  readonly title?: string;
  readonly children: ReactNode;
}

/** A sentence that must not be overlooked. */
export function Notice({ tone, title, children }: NoticeProps) {
  const urgent = tone === 'bad';
  return (
    <div className={`notice ${tone}`} role={urgent ? 'alert' : 'status'}>
      {title === undefined ? null : <strong>{title} </strong>}
      {children}
    </div>
  );
}

/** Shown while something is on its way; said aloud only once. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p className="muted" role="status">
      Loading {what} …
    </p>
  );
}

interface MissingProps {
  /** What there is none of. */
  readonly what: string;
  /** How that may have come about, in a sentence. */
  readonly children: ReactNode;
}

/** In place of what an address names and does not exist. */
export function Missing({ what, children }: MissingProps) {
  return (
    <>
      <h1>There is no such {what}</h1>
      <p>
        {children} <Link to="/">Search the events</Link> instead.
      </p>
    </>
  );
}

interface ProblemNoticeProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** What went wrong, in the API's own words, and what can be done about it. */
export function ProblemNotice({ error, onRetry }: ProblemNoticeProps) {
  const problem = error instanceof ApiProblem ? error : null;
  return (
    <Notice tone="bad">
      <span>{problem?.message ?? 'The page met something that it does not understand.'}</span>{' '}
      <NextStep problem={problem} {...(onRetry === undefined ? {} : { onRetry })} />
      {problem?.document == null ? null : (
        <small className="muted"> Request {problem.document.request_id}</small>
      )}
    </Notice>
  );
}

/** Where to go from what the API refused; for the rest, trying again is all there is. */
const ways: Partial<Record<ApiProblem['code'], { readonly to: string; readonly text: string }>> = {
  insufficient_credits: { to: '/account', text: 'See your balance and buy credits' },
  lane_unavailable: { to: '/account', text: 'See what is missing' },
  not_found: { to: '/', text: 'Search the events' },
  event_not_found: { to: '/', text: 'Search the events' },
};

function NextStep({ problem, onRetry }: { problem: ApiProblem | null; onRetry?: () => void }) {
  const { pathname, search } = useLocation();
  if (problem?.code === 'unauthenticated') {
    return <Link to={`/sign-in?${new URLSearchParams({ to: pathname + search })}`}>Sign in</Link>;
  }
  const way = problem === null ? undefined : ways[problem.code];
  if (way !== undefined) return <Link to={way.to}>{way.text}</Link>;
  return onRetry === undefined ? null : (
    <button className="link" type="button" onClick={onRetry}>
      Try again
    </button>
  );
}
