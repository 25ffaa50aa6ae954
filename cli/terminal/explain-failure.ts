import { ApiProblem } from '../../client/http-client.js';
import { commandLine } from '../groups/command-line.js';
import { type ExitCode, exitCodes, Failure } from './failure.js';

export interface ExplainedFailure {
  readonly message: string;
  readonly next: string;
  readonly exitCode: ExitCode;
  /** What is told programs. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** Whatever was thrown, with what to do about it. */
export function explainFailure(error: unknown): ExplainedFailure {
  if (error instanceof ApiProblem) {
    const next = adviceOnProblem(error);
    const exitCode = overThePrice.has(error.code) ? exitCodes.refused : exitCodes.failed;
    const document = error.document ?? { code: error.code, detail: error.message };
    return { message: describeProblem(error), next, exitCode, document: { ...document, next } };
  }
  const message = error instanceof Error ? error.message : String(error);
  const { next, exitCode } =
    error instanceof Failure
      ? error
      : { next: `${commandLine('doctor')} looks for what is wrong here.`, exitCode: exitCodes.failed };
  return { message, next, exitCode, document: { detail: message, next } };
}

const overThePrice: ReadonlySet<string> = new Set(['insufficient_credits', 'quote_expired']);

function describeProblem({ document, message }: ApiProblem): string {
  if (document === null) return message;
  // Only an internal error makes somebody look for the request in a log.
  const request = document.code === 'internal' ? ` Request ${document.request_id}.` : '';
  return `${document.title} (${document.code}). ${document.detail}${request}`;
}

/** What a person can do about a problem of the API. */
function adviceOnProblem({ code, baseUrl: origin, retryAfterSeconds }: ApiProblem): string {
  const later = retryAfterSeconds === null ? 'Try again later.' : `Try again in ${retryAfterSeconds} s.`;
  const advice: Readonly<Partial<Record<ApiProblem['code'], string>>> = {
    unreachable: `Start the service (\`npm start\`), or set COUNCIL_BASE_URL to its address (now ${origin}).`,
    purchase_unknown:
      'Run the same command again: a report that was bought is yours, and is not charged twice.',
    unauthenticated: howToGetKey(origin),
    insufficient_credits: `Buy credits at ${origin}, or ask an operator for some: ${commandLine('credits grant --email YOU --credits 500 --reason "…"')}`,
    quote_expired: 'The price has just moved. Run the same command again: it shows the new one first.',
    event_not_found: `Search for it in words: ${commandLine('report run "fed cut"')}`,
    not_found: 'Check the number: only reports of the account that the key belongs to can be read.',
    event_closed: 'Choose an event that still trades.',
    lane_unavailable: `What is missing can be set up at ${origin}.`,
    run_limit_exceeded: `${later} Cached reports, and those you own, can be had all the same.`,
    rate_limited: later,
    unavailable: `${later} Operators: ${commandLine('doctor')} says which part is down.`,
    internal: 'Try once more; if it stays, tell the operators the request id.',
  };
  return advice[code] ?? `What the service expects is described at ${origin}/docs/.`;
}

/** For whoever has none, or one that is not taken. */
export function howToGetKey(origin: string): string {
  return `Make a key at ${origin}, or have an operator mint one: ${commandLine('keys mint --email YOU --name laptop')}; then: export COUNCIL_API_KEY=pc_live_…`;
}
