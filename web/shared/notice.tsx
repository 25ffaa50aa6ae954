import { Component, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { CouncilProblem } from '../api/api.js';
import { signInPath } from './paths.js';

interface NoticeProps {
  /** `bad` interrupts a screen reader; the others wait for it to finish. */
  readonly tone: 'plain' | 'good' | 'warn' | 'bad';
  readonly title?: string;
  readonly children: ReactNode;
}

export function Notice({ tone, title, children }: NoticeProps) {
  return (
    <div className={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {title === undefined ? null : <strong>{title} </strong>}
      {children}
    </div>
  );
}

export function Loading({ what }: { readonly what: string }) {
  return (
    <p className="muted" role="status">
      Loading {what} …
    </p>
  );
}

interface MissingProps {
  /** What was not found: "report". */
  readonly what: string;
  /** Why, in a sentence. */
  readonly children: ReactNode;
}

/** Shown in place of a page whose subject does not exist. */
export function Missing({ what, children }: MissingProps) {
  return (
    <>
      <h1>{capitalised(what)} not found</h1>
      <p>
        {children} <Link to="/">Search the events</Link> instead.
      </p>
    </>
  );
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

interface ProblemNoticeProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** Shows the `detail` of a problem, and a link or a button for what to do next. */
export function ProblemNotice({ error, onRetry }: ProblemNoticeProps) {
  const problem = error instanceof CouncilProblem ? error : null;
  return (
    <Notice tone="bad">
      <span>{problem?.message ?? 'Something unexpected happened on this page.'}</span>{' '}
      <NextStep problem={problem} {...(onRetry === undefined ? {} : { onRetry })} />
      {problem?.document == null ? null : (
        <small className="muted"> Request {problem.document.request_id}</small>
      )}
    </Notice>
  );
}

/** Where to go after these problems. Every other problem offers to try again. */
const nextPages: Partial<Record<CouncilProblem['code'], { readonly to: string; readonly text: string }>> = {
  insufficient_credits: { to: '/account', text: 'See your balance and buy credits' },
  lane_unavailable: { to: '/account', text: 'See what is missing in your account' },
  not_found: { to: '/', text: 'Search the events' },
  event_not_found: { to: '/', text: 'Search the events' },
};

function NextStep({ problem, onRetry }: { problem: CouncilProblem | null; onRetry?: () => void }) {
  const { pathname, search } = useLocation();
  if (problem?.code === 'unauthenticated') {
    return <Link to={signInPath(pathname + search)}>Sign in</Link>;
  }
  const next = problem === null ? undefined : nextPages[problem.code];
  if (next !== undefined) return <Link to={next.to}>{next.text}</Link>;
  return onRetry === undefined ? null : (
    <button className="link" type="button" onClick={onRetry}>
      Try again
    </button>
  );
}

/**
 * Shows a message in place of a page that cannot be rendered, for example because an answer of the API has a
 * shape that this page does not know. Without it, React would remove the whole document.
 */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? 'unknown' };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <ProblemNotice error={error} onRetry={() => window.location.reload()} />;
  }
}
