import { type ProblemCode, problems } from '../../council/problems.js';
import type { Access, Operation } from './operation.js';

/** Every problem that an operation can answer with: its own, and those that follow from what it is. In order of status. */
export function problemCodesOf(operation: Operation): readonly ProblemCode[] {
  const { access, body, parameters = [], throttled = true, problems: own = [] } = operation;
  const codes = new Set<ProblemCode>([
    ...own,
    ...ofAccess[access],
    ...(body === undefined ? [] : ofBodies),
    ...(parameters.some(group => group.in === 'query') ? (['invalid_request'] as const) : []),
    ...(parameters.some(group => group.in === 'path') ? (['not_found'] as const) : []),
    ...(throttled ? (['rate_limited'] as const) : []),
    'internal',
  ]);
  return allCodes.filter(code => codes.has(code));
}

const allCodes = Object.keys(problems)
  .filter((code): code is ProblemCode => code in problems)
  .sort((a, b) => problems[a].status - problems[b].status);

/** A credential is looked up in the database, or held against keys of an identity provider: both may be away. */
const ofAccess: Readonly<Record<Access, readonly ProblemCode[]>> = {
  public: [],
  anyone: ['unauthenticated', 'unavailable'],
  session: ['unauthenticated', 'session_required', 'unavailable'],
  cookie: ['unauthenticated', 'unavailable'],
  cookie_if_any: ['unavailable'],
};

const ofBodies = ['invalid_request', 'payload_too_large', 'unsupported_media_type'] as const;
