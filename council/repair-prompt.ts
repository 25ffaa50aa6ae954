import { fence } from './fence.js';
import type { Prompt } from './prompt.js';
import { jsonRule } from './prompt-rules.js';
import { rejectedAnswerShownChars } from './text-limits.js';

/**
 * Asks once more for an answer that could not be used: the whole question again, what was wrong in our own
 * words, and the rejected answer as data.
 */
export function repairPrompt(question: Prompt, answer: string, problems: readonly string[]): Prompt {
  return {
    system: question.system,
    user: [
      question.user,
      'Your previous answer could not be used:',
      problems.map(problem => `- ${problem}`).join('\n'),
      fence('PREVIOUS ANSWER', answer, rejectedAnswerShownChars),
      `Give the whole answer again with these problems mended. ${jsonRule}`,
    ].join('\n\n'),
  };
}
