import type { Prompt } from '../../../council/prompts/prompt.js';

/** A prompt without the marks of its fences, which depend on the seed and on what is fenced. */
export function withoutMarks(user: string): string {
  return user.replace(/^(<<<(?:BEGIN|END) .*) [0-9a-f]{8}>>>$/gm, '$1>>>');
}

export function unmarked({ system, user }: Prompt): Pick<Prompt, 'system' | 'user'> {
  return { system, user: withoutMarks(user) };
}
