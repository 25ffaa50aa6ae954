import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const MAX_BYTES = 10 * 1024 * 1024;
/** Holds the words before a stack trace of a hundred calls. */
const TAIL_BYTES = 64 * 1024;

/** From the line that names the goroutine to the empty line after its calls. */
const STACK_TRACE = /^goroutine \d+ \[[^]*?(?:\n\n|$(?![^]))/gm;

/** The file a child writes its output to. */
export interface ChildLog {
  readonly path: string;
  readonly fd: number;
  /**
   * The last lines written since this log was opened: what an earlier run wrote explains nothing. Go's stack traces are
   * left out: what a server died of stands before them, and would be lost behind a hundred lines of calls.
   */
  lastLines(count?: number): Promise<string>;
  /** Closes our end; the child keeps its own. */
  close(): Promise<void>;
}

/** Opens a log for appending; one that has outgrown its bound is moved aside first, and one old log is kept. */
export async function openChildLog(path: string): Promise<ChildLog> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if ((await sizeOf(path)) > MAX_BYTES) await rename(path, `${path}.1`);
  const begin = await sizeOf(path);
  const handle = await open(path, 'a', 0o600);
  return {
    path,
    fd: handle.fd,
    lastLines: async (count = 12) => {
      const text = (await readTail(path, begin)).replaceAll(STACK_TRACE, '');
      return text.trim().split('\n').slice(-count).join('\n');
    },
    close: () => handle.close(),
  };
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.size ?? 0;
}

async function readTail(path: string, begin: number): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const from = Math.max(begin, size - TAIL_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, from);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
