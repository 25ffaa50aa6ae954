import { describe, expect, test } from '@jest/globals';
import { packOf } from '../../../council/evidence/assemble-evidence.js';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { councilModels } from '../../../council/models.js';
import { councilPrompt } from '../../../council/prompts/council-prompt.js';
import { type Prompt, repairPrompt } from '../../../council/prompts/prompt.js';
import {
  opinionQuestion,
  reviewQuestion,
  sourcesOf,
  synthesisQuestion,
} from '../../../council/questions/stage-questions.js';
import { assembled, ranged } from '../evidence/research-fixtures.js';
import { unanimous } from '../fixtures.js';
import { leaks, telltale } from './prompt-scan.js';

const brief = { event: telltale, set: outcomeSet(telltale), asOf: '2031-04-01T00:00:00Z', seed: 'seed' };
const shared = { url: 'https://shared.example.org/' };

/** Two members searched. Each found a page of its own, and both the same one. */
const searched = assembled({
  claude: ranged([
    { text: 'The jury met on Monday.', ...shared },
    { text: 'The list is final.', url: 'https://a.example.org/' },
  ]),
  grok: ranged([
    { text: 'The jury has five members.', ...shared },
    { text: 'Gamma has withdrawn once.', url: 'https://b.example.org/' },
  ]),
});

describe.each([
  ['members searched', searched],
  ['no search found anything', assembled({})],
  ['nobody searched', null],
])('where %s', (_, found) => {
  const opinions = unanimous(councilModels, { Alpha: 50, Beta: 30, Gamma: 20 });
  const deliberation = { ...brief, members: councilModels, opinions, found };
  const packFor = (member: (typeof councilModels)[number]) => found && packOf(found, member);

  test.each([...councilModels])('every prompt to %s begins with the same bytes', member => {
    const opinion = opinionQuestion(brief, packFor(member)).prompt;
    const prompts: Prompt[] = [
      opinion,
      reviewQuestion(deliberation, member).prompt,
      synthesisQuestion(deliberation, {}, member).prompt,
      councilPrompt({ ...brief, ...sourcesOf(deliberation, member) }, ['Another task.']),
      repairPrompt(opinion, 'An answer.', ['a problem']),
    ];
    const beginning = opinion.user.slice(0, opinion.sharedChars);
    expect(beginning).toContain('<<<END OUTCOMES');
    for (const { domain } of packFor(member) ?? []) expect(beginning).toContain(domain);
    for (const { system, user, sharedChars } of prompts) {
      expect(system).toBe(opinion.system);
      expect(user.slice(0, sharedChars)).toBe(beginning);
      expect(user.slice(sharedChars, sharedChars + 2)).toBe('\n\n');
      expect(leaks({ system, user })).toEqual([]);
    }
  });
});

test('the beginning neither names a task nor says who found a source', () => {
  for (const member of councilModels) {
    const { system, user, sharedChars } = opinionQuestion(brief, packOf(searched, member)).prompt;
    const beginning = system + user.slice(0, sharedChars);
    expect(beginning).not.toMatch(/"distribution"|"ranking"|review|chair|price/i);
    expect(beginning).not.toMatch(/claude|gpt|gemini|grok|you found/i);
  }
});
