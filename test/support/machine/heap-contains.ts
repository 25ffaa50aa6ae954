import type { Page } from 'playwright-core';

/** Whether a string in the page's JavaScript heap contains this text after a garbage collection. */
export async function heapContains(page: Page, words: string): Promise<boolean> {
  const debug = await page.context().newCDPSession(page);
  const pieces: string[] = [];
  debug.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => pieces.push(chunk));
  await debug.send('HeapProfiler.enable');
  await debug.send('HeapProfiler.collectGarbage');
  await debug.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await debug.detach();
  return pieces.join('').includes(words);
}
