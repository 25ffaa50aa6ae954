import { contests } from './contests.js';
import { cupTies } from './cup-ties.js';
import { elections } from './elections.js';
import { ladders } from './ladders.js';
import { lastFour } from './last-four.js';
import { matches } from './matches.js';
import { questions } from './questions.js';
import { rateDecisions } from './rate-decisions.js';
import type { ResolvedSample } from './resolved-sample.js';

/** All sample events that have resolved with a past: the events of the sample record. */
export const resolvedSamples: readonly ResolvedSample[] = [
  ...matches,
  ...cupTies,
  ...rateDecisions,
  ...questions,
  ...ladders,
  ...elections,
  ...contests,
  ...lastFour,
];
