import { type ProblemCode, problems } from '../council/problems.js';

/** What can go wrong in this server, before or after the API: it never stands in an answer of the API. */
const ownCodes = [
  'over_max_credits',
  'metered_lane_unconfirmed',
  'purchase_unknown',
  'unreachable',
  'unexpected_answer',
] as const;

export type ToolProblemCode = ProblemCode | (typeof ownCodes)[number];

/** Every code that an error of a tool can carry: those of the API, and the server's own. A closed list. */
export const toolProblemCodes: readonly ToolProblemCode[] = [
  ...Object.keys(problems).filter((code): code is ProblemCode => code in problems),
  ...ownCodes,
];
