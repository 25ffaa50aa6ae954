import { InvalidArgumentError } from 'commander';
import { exitCodes, Failure } from './failure.js';

/** The examples at the end of a command's help, ready to copy. */
export function examples(...commands: readonly string[]): string {
  return [
    '',
    commands.length === 1 ? 'Example:' : 'Examples:',
    ...commands.map(command => `  ${commandLine(command)}`),
  ].join('\n');
}

/** Parses a count or a number on the command line. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a whole number of 1 or more.');
  return Number(text);
}

/** Parses a day on the command line. */
export function utcDate(text: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
  if (!isDay) throw new InvalidArgumentError('Expected a day, like 2031-03-05.');
  return text;
}

/** Parses a moment on the command line: a day begins at midnight UTC. */
export function moment(text: string): Date {
  const isMoment = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const at = new Date(isMoment ? text : Number.NaN);
  if (Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('Expected a time, like 2031-03-05 or 2031-03-05T12:00:00Z.');
  return at;
}

/** Parses an amount in dollars on the command line. @returns whole cents */
export function dollarsAsCents(text: string): number {
  if (!/^\d{1,4}(\.\d{1,2})?$/.test(text)) {
    throw new InvalidArgumentError('Expected an amount in dollars, like 3 or 1.50.');
  }
  return Math.round(Number(text) * 100);
}

/** A command as it is typed in a terminal, for messages. */
export function commandLine(command: string): string {
  return `npm run council -- ${command}`;
}

/** The length that the database accepts. */
const reasonMaxChars = 1_000;

/** @throws Failure if the reason that an operator gives is empty or too long */
export function checkReason(reason: string): void {
  if (reason.trim() !== '' && reason.length <= reasonMaxChars) return;
  throw new Failure(`The reason must have 1 to ${reasonMaxChars} characters.`, {
    next: 'Set it with --reason.',
    exitCode: exitCodes.usage,
  });
}
