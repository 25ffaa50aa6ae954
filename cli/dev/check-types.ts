import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

const quietMs = 1_000;

/** Checks the types of the project in the background. A new change ends the check of the earlier one. */
export class TypeChecker {
  private readonly root: string;
  private readonly say: (line: string) => void;
  private timer: NodeJS.Timeout | undefined;
  private run: ChildProcess | undefined;

  constructor(root: string, say: (line: string) => void) {
    this.root = root;
    this.say = say;
  }

  /** Begins when nothing has changed for a moment. */
  checkSoon(): void {
    this.stop();
    this.timer = setTimeout(() => this.check(), quietMs);
  }

  stop(): void {
    clearTimeout(this.timer);
    const pid = this.run?.pid;
    this.run = undefined;
    if (pid !== undefined) endGroup(pid);
  }

  private check(): void {
    // A process group of its own: a signal to npm alone would leave the compiler running.
    const run = spawn('npm', ['run', '--silent', 'types'], {
      cwd: this.root,
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    });
    this.run = run;
    // The compiler takes every core for seconds, and the restart after the same change comes first.
    if (run.pid !== undefined) setPriority(run.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    run.once('exit', code => {
      if (this.run === run) this.run = undefined;
      if (code === 0) this.say('Types: no errors.');
    });
  }
}

function endGroup(leader: number): void {
  try {
    // The compiler finishes its work on SIGTERM. It writes no file, so it can be killed.
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
