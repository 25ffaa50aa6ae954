import { styleText } from 'node:util';
import { visibleJson, visibleText } from '../../council/text.js';

/**
 * Where a command writes: text for people, or one JSON document for programs. Whatever the text holds, the terminal obeys
 * nothing but the colours of {@link Paint}.
 */
export interface Output {
  /** Colours for the text of the result. */
  readonly paint: Paint;
  /** Writes the result, in either form, to standard output. Nothing else is written there. */
  result(document: unknown, text: string): void;
  /** Writes a file as the result: as it is, except on a terminal, or with --json, which writes the document. */
  file(document: unknown, text: string): void;
  /** A permanent line on standard error. */
  progress(line: string): void;
  /** The current status: one line that is overwritten on a terminal; elsewhere a line per change. */
  status(line: string): void;
  /** A status that is shown on terminals only, and kept out of logs. */
  flicker(line: string): void;
  /** Advice for people, on standard error; not shown with --json. */
  next(line: string): void;
  /** Clears the status line. */
  close(): void;
}

export interface OutputOptions {
  readonly asJson: boolean;
  readonly paint: Paint;
  readonly stdout: { readonly isTTY?: boolean; write(text: string): unknown };
  readonly stderr: TerminalStream;
  /** Whether standard error is a terminal on which a line can be overwritten. */
  readonly inPlace: boolean;
}

export function createOutput({ asJson, paint, stdout, stderr, inPlace }: OutputOptions): Output {
  const line = inPlace ? createStatusLine(stderr) : null;
  let last = '';
  const writeLine = (text: string) => {
    line?.clear();
    stderr.write(`${printable(text)}\n`);
  };
  const result = (document: unknown, text: string) => {
    line?.clear();
    stdout.write(`${asJson ? visibleJson(document) : printable(text)}\n`);
  };
  return {
    paint,
    result,
    file: (document, text) => {
      if (asJson || stdout.isTTY === true) result(document, text.trimEnd());
      else stdout.write(text);
    },
    progress: writeLine,
    status: text => {
      if (line !== null) line.show(printable(text));
      else if (text !== last) writeLine(text);
      last = text;
    },
    flicker: text => line?.show(printable(text)),
    next: text => {
      if (!asJson) writeLine(text);
    },
    close: () => line?.clear(),
  };
}

/** The colours by their meaning. */
const styles = { good: 'green', warning: 'yellow', bad: 'red', strong: 'bold', faint: 'dim' } as const;

export type Paint = Readonly<Record<keyof typeof styles, (text: string) => string>>;

/**
 * Colours for a stream: only on a terminal, unless FORCE_COLOR or NO_COLOR say otherwise. Measure widths before
 * painting.
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

function printable(text: string): string {
  return text
    .split(paintCodes)
    .map((part, index) => (index % 2 === 1 ? part : visibleText(part)))
    .join('');
}

/** The codes at which {@link styles} begin and end. */
const paintCodes = new RegExp(
  `(${Object.values(styles)
    .flatMap(style => styleText(style, '|', { validateStream: false }).split('|'))
    .map(code => code.replace('[', '\\['))
    .join('|')})`,
);

/** A stream that may be a terminal, such as `process.stderr`. */
export interface TerminalStream {
  /** 0 when the terminal does not report it. */
  readonly columns?: number;
  write(text: string): unknown;
}

/** The line at the bottom of a terminal that shows the current status. */
export interface StatusLine {
  show(text: string): void;
  /** Empties the line before something else is printed. */
  clear(): void;
}

const defaultColumns = 80;
const tickMs = 1_000;
const clearLine = '\r\u001B[2K';

/** It counts the seconds since it was first shown, so that a slow step does not look like a hang. */
function createStatusLine(stream: TerminalStream): StatusLine {
  let text = '';
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const draw = () => {
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    const clock = seconds === 0 ? '' : `  ${seconds} s`;
    // A line that wraps could not be overwritten.
    const room = (stream.columns || defaultColumns) - 1 - clock.length;
    stream.write(`${clearLine}${text.slice(0, Math.max(0, room))}${clock}`);
  };
  return {
    show: shown => {
      text = shown;
      if (timer === undefined) {
        startedAt = performance.now();
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
