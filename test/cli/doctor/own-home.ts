import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';

/** An empty COUNCIL_HOME for each test of a file. */
export function useOwnHome(): { readonly path: string } {
  let path = '';
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'council-home-'));
  });
  afterEach(() => rm(path, { recursive: true, force: true }));
  return {
    get path() {
      return path;
    },
  };
}
