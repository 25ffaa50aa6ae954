import { asTyped } from '../as-typed.js';

/** The end of a command's help: how it is typed, so that it can be copied. */
export function examples(...words: readonly string[]): string {
  return ['', words.length === 1 ? 'Example:' : 'Examples:', ...words.map(line => `  ${asTyped(line)}`)].join(
    '\n',
  );
}
