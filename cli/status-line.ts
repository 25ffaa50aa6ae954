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
export function createStatusLine(stream: TerminalStream): StatusLine {
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
