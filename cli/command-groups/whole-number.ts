import { InvalidArgumentError } from 'commander';

/** Parses what is counted or numbered on the command line. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('a whole number from 1 is needed');
  return Number(text);
}
