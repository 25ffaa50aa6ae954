import type { Paint } from './paint.js';
import { createStatusLine, type TerminalStream } from './status-line.js';

/** Where a command tells its result: as text for people, or as one JSON document for programs. */
export interface Output {
  /** Colours for the text of a result. */
  readonly paint: Paint;
  /** The result of the command, in either form, on standard output. Nothing else is written there. */
  result(document: unknown, text: string): void;
  /** What happened meanwhile, on standard error: a line that stays. */
  progress(line: string): void;
  /** How far it is: on a terminal one line that is overwritten, elsewhere a line each time it changes. */
  status(line: string): void;
  /** The same, for what is worth no line in a log: shown on a terminal only. */
  flicker(line: string): void;
  /** What people can do next, on standard error; programs know. */
  next(line: string): void;
  /** Nothing goes on any more. */
  close(): void;
}

export interface OutputOptions {
  readonly asJson: boolean;
  readonly paint: Paint;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: TerminalStream;
  /** Whether standard error is a terminal on which a line can be overwritten. */
  readonly inPlace: boolean;
}

export function createOutput({ asJson, paint, stdout, stderr, inPlace }: OutputOptions): Output {
  const line = inPlace ? createStatusLine(stderr) : null;
  let last = '';
  const say = (text: string) => {
    line?.clear();
    stderr.write(`${text}\n`);
  };
  return {
    paint,
    result: (document, text) => {
      line?.clear();
      stdout.write(`${asJson ? JSON.stringify(document, null, 2) : text}\n`);
    },
    progress: say,
    status: text => {
      if (line !== null) line.show(text);
      else if (text !== last) say(text);
      last = text;
    },
    flicker: text => line?.show(text),
    next: text => {
      if (!asJson) say(text);
    },
    close: () => line?.clear(),
  };
}
