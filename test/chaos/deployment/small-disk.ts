import { execFile } from 'node:child_process';
import { cp, mkdir, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const roomy = '3g';
const triesMax = 20;

/**
 * A file system in memory that can be full: it is shrunk to what is used, so that nothing more can be written.
 * Mounting one needs root.
 */
export class SmallDisk {
  private readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** @returns a sentence that says why, where it is not possible */
  static async mount(folder: string): Promise<SmallDisk | string> {
    await mkdir(folder);
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${roomy}`, 'tmpfs', folder]);
      return new SmallDisk(folder);
    } catch (error) {
      const [reason = ''] = (error instanceof Error ? error.message : String(error))
        .trim()
        .split('\n')
        .slice(-1);
      return `a full disk cannot be tested here, because no file system can be mounted (${reason})`;
    }
  }

  /** From now on every write that needs more space fails. */
  async fill(): Promise<void> {
    for (let tries = 1; ; tries++) {
      const { blocks, bfree, bsize } = await statfs(this.folder);
      try {
        await this.resize(String((blocks - bfree) * bsize));
        return;
      } catch (error) {
        // Somebody wrote between the two steps.
        if (tries === triesMax) throw error;
      }
    }
  }

  async makeRoom(): Promise<void> {
    await this.resize(roomy);
  }

  /** @param keep whether to keep a copy of its files, in a folder beside it */
  async unmount(keep: boolean): Promise<void> {
    if (keep) await cp(this.folder, `${this.folder}-data`, { recursive: true });
    await run('umount', [this.folder]);
  }

  private async resize(size: string): Promise<void> {
    await run('mount', ['-o', `remount,size=${size}`, this.folder]);
  }
}
