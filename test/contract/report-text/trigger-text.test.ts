import { expect, test } from '@jest/globals';
import {
  changeLead,
  subjectText,
  triggerLead,
  triggerNumbers,
} from '../../../contract/report-text/trigger-text.js';

test('a trigger names its direction, its date, and the members with the numbers that they gave', () => {
  expect(triggerLead({ direction: 'up', by: '2031-01-15' })).toBe('More likely if by 2031-01-15');
  expect(triggerLead({ direction: 'down', by: '2031-01-15' })).toBe('Less likely if by 2031-01-15');
  const members = ['grok', 'gpt', 'claude'] as const;
  expect(triggerNumbers({ members, to: { claude: 60, grok: 71.5 } })).toBe(
    'claude 60 %, grok 71.5 %; gpt without a number',
  );
  expect(triggerNumbers({ members, to: {} })).toBe('claude, gpt, grok without a number');
  expect(triggerNumbers({ members: ['gpt'], to: { gpt: 0 } }, name => name.toUpperCase())).toBe('GPT 0 %');
});

test('a change of a member has its own number and date', () => {
  expect(changeLead({ if: 'x', by: '2031-01-15', to: 0 })).toBe('0 % if by 2031-01-15');
});

test('the subject of the triggers stands beside them with the numbers of the report, as far as there are any', () => {
  const council = { Yes: 39.8 };
  const estimate = {
    probabilities: { Yes: 40.6 },
    method: '',
    weights: { id: '', sha256: '', coefficients: { market: 0, council: 0, council_by_dispersion: 0 } },
  };
  expect(subjectText({ estimate, market_probabilities: council }, 'Yes')).toBe(
    'is at 40.6 % by the estimate and at 39.8 % by the council',
  );
  expect(subjectText({ estimate: null, market_probabilities: council }, 'Yes')).toBe(
    'is at 39.8 % by the council',
  );
});
