import { styleText } from 'node:util';

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

/** What a colour means here. */
const styles = { good: 'green', warning: 'yellow', bad: 'red', strong: 'bold', faint: 'dim' } as const;

export type Paint = Readonly<Record<keyof typeof styles, (text: string) => string>>;

/**
 * Colours for what is written to that stream: none unless it is a terminal, whatever FORCE_COLOR and NO_COLOR say
 * otherwise. Widths are to be measured before painting.
 */
export function paintFor(stream: NodeJS.WritableStream): Paint {
  const brush = (style: keyof typeof styles) => (text: string) => styleText(styles[style], text, { stream });
  return {
    good: brush('good'),
    warning: brush('warning'),
    bad: brush('bad'),
    strong: brush('strong'),
    faint: brush('faint'),
  };
}

/** A stream that may be a terminal, such as `process.stderr`. */
export interface TerminalStream {
  /** 0 where the terminal does not say. */
  readonly columns?: number;
  write(text: string): unknown;
}

/** The one line at the bottom of a terminal that is overwritten while something goes on. */
export interface StatusLine {
  show(text: string): void;
  /** Leaves the line empty, for whatever is printed next. */
  clear(): void;
}

const columnsAssumed = 80;
const tickMs = 1_000;
const clearLine = '\r\u001B[2K';

/** It counts the seconds since it was first shown: a line that stands still looks like a program that does. */
function createStatusLine(stream: TerminalStream): StatusLine {
  let text = '';
  let begunAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const draw = () => {
    const seconds = Math.round((performance.now() - begunAt) / 1_000);
    const clock = seconds === 0 ? '' : `  ${seconds} s`;
    // A line that wraps could not be overwritten.
    const room = (stream.columns || columnsAssumed) - 1 - clock.length;
    stream.write(`${clearLine}${text.slice(0, Math.max(0, room))}${clock}`);
  };
  return {
    show: shown => {
      text = shown;
      if (timer === undefined) {
        begunAt = performance.now();
        timer = setInterval(draw, tickMs);
        timer.unref();
      }
      draw();
    },
    clear: () => {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      stream.write(clearLine);
    },
  };
}
