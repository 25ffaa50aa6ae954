import { expect, test } from '@jest/globals';
import { proofText } from '../../record/figures/record-proof.js';

const none = { graded: 0, stamped_before_outcome: 0, unproven: 0, overdue: 0 };
const authority = 'https://timestamps.example/tsr';

test.each([
  [
    'nobody signs it',
    null,
    { ...none, graded: 3, unproven: 3 },
    /^The record is unproven: no time-stamp auth/,
  ],
  ['nothing is graded', authority, none, /^The record is time-stamped by https:\S+tsr\.$/],
  [
    'all are proved',
    authority,
    { ...none, graded: 3, stamped_before_outcome: 3 },
    /^3 of 3 graded forecasts have a receipt of https:\S+ from before their outcome\.$/,
  ],
  [
    'one is not',
    authority,
    { ...none, graded: 3, stamped_before_outcome: 2, unproven: 1 },
    /^2 of 3 .* outcome; 1 is unproven\.$/,
  ],
  [
    'an entry is hidden for too long',
    authority,
    { ...none, overdue: 1 },
    / 1 entry is overdue: hidden after the time that was promised\.$/,
  ],
])('the record says so when %s', (_, by, proof, words) => {
  expect(proofText(by, proof)).toMatch(words);
});
