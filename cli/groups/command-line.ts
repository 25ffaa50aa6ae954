import { InvalidArgumentError } from 'commander';

/** The end of a command's help: how it is typed, so that it can be copied. */
export function examples(...words: readonly string[]): string {
  return [
    '',
    words.length === 1 ? 'Example:' : 'Examples:',
    ...words.map(line => `  ${commandLine(line)}`),
  ].join('\n');
}

/** Parses what is counted or numbered on the command line. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('a whole number from 1 is needed');
  return Number(text);
}

/** A command of ours as people type it, so that it can be copied from a message into a terminal. */
export function commandLine(words: string): string {
  return `npm run council -- ${words}`;
}
