import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const MAX_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 8 * 1024;

/** The file a child writes its output to. */
export interface ChildLog {
  readonly path: string;
  readonly fd: number;
  /** The last lines written since this log was opened: what an earlier run wrote explains nothing. */
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
      const text = await readTail(path, begin);
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
