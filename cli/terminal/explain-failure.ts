import { CouncilProblem } from '../../client/council-problem.js';
import { waitText } from '../../contract/callers/wait-text.js';
import { commandLine } from './command-line.js';
import { type ExitCode, exitCodes, Failure } from './failure.js';

export interface ExplainedFailure {
  readonly message: string;
  readonly next: string;
  readonly exitCode: ExitCode;
  /** The error in JSON. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** Turns anything that was thrown into a message, and says what to do. */
export function explainFailure(error: unknown): ExplainedFailure {
  if (error instanceof CouncilProblem) {
    const next = adviceOnProblem(error);
    const exitCode = priceProblems.has(error.code) ? exitCodes.refused : exitCodes.failed;
    const document = error.document ?? { code: error.code, detail: error.message };
    return { message: describeProblem(error), next, exitCode, document: { ...document, next } };
  }
  const message = error instanceof Error ? error.message : String(error);
  const { next, exitCode } =
    error instanceof Failure
      ? error
      : { next: `${commandLine('doctor')} checks this set-up.`, exitCode: exitCodes.failed };
  return { message, next, exitCode, document: { detail: message, next } };
}

const priceProblems: ReadonlySet<string> = new Set(['insufficient_credits', 'quote_expired']);

function describeProblem({ document, message }: CouncilProblem): string {
  if (document === null) return message;
  // Operators look up the request in the log only after an internal error.
  const request = document.code === 'internal' ? ` Request ${document.request_id}.` : '';
  return `${document.title} (${document.code}). ${document.detail}${request}`;
}

/** What a person can do about an error of the API. */
function adviceOnProblem({ code, baseUrl: origin, retryAfterSeconds }: CouncilProblem): string {
  const later = retryAfterSeconds === null ? 'Try again later.' : `Try again ${waitText(retryAfterSeconds)}.`;
  const advice: Readonly<Partial<Record<CouncilProblem['code'], string>>> = {
    unreachable: `Start the service (\`npm start\`), or set COUNCIL_BASE_URL to its address (now ${origin}).`,
    purchase_unknown:
      'Run the same command again: a report that was bought is yours, and is not charged twice.',
    unauthenticated: howToGetKey(origin),
    insufficient_credits: `Buy credits at ${origin}, or ask an operator: ${commandLine('credits grant --email YOU --credits 500 --reason "…"')}`,
    quote_expired: 'The price has just changed. Run the command again to see the new price.',
    event_not_found: `Search for it: ${commandLine('report run "fed cut"')}`,
    not_found: 'Check the number. A key reads only the reports of its own account.',
    event_closed: 'Choose an event that is still open.',
    lane_unavailable: `Complete the set-up at ${origin}, or choose another --lane.`,
    run_limit_exceeded: `${later} Cached reports and your own reports remain available.`,
    account_suspended: 'Ask the operator of the service. Your reports stay readable.',
    house_limit_reached: `${later} Cached reports and your own reports remain available, and so does --lane byok.`,
    rate_limited: later,
    unavailable: `${later} Operators: ${commandLine('doctor')} shows which part is down.`,
    internal: 'Try again. If it persists, send the request id to the operators.',
  };
  return advice[code] ?? `The API reference is at ${origin}/docs.`;
}

/** The advice for a missing or rejected API key. */
export function howToGetKey(origin: string): string {
  return `Create a key at ${origin}, or ask an operator: ${commandLine('keys mint --email YOU --name laptop')}. Then: export COUNCIL_API_KEY=pc_live_…`;
}
