import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/** The restart after the same change comes first. */
const quietMs = 1_000;

/** The service with its tests, and the page. Each keeps what it knows, so that a check reads only what has changed. */
const projects = ['.', 'web'];

/** Checks the types of both projects in the background. A new change ends the checks of the earlier one. */
export class TypeChecker {
  private readonly root: string;
  private readonly say: (line: string) => void;
  private timer: NodeJS.Timeout | undefined;
  private runs: readonly ChildProcess[] = [];

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
    // The compiler finishes its work on SIGTERM. It writes its notes at the end only, so it can be killed.
    for (const { pid } of this.runs) if (pid !== undefined) endGroup(pid);
    this.runs = [];
  }

  private check(): void {
    const runs = projects.map(project => this.compiler(project));
    this.runs = runs;
    let correct = 0;
    for (const run of runs) {
      run.once('exit', code => {
        if (this.runs !== runs || code !== 0) return;
        correct++;
        if (correct === runs.length) this.say('Types: no errors.');
      });
    }
  }

  private compiler(project: string): ChildProcess {
    const notes = `dist/.types-${project === '.' ? 'service' : project}.tsbuildinfo`;
    const args = ['--noEmit', '-p', project, '--incremental', '--tsBuildInfoFile', notes];
    // A process group of its own: the command starts the compiler as a child.
    const run = spawn('node_modules/.bin/tsc', args, {
      cwd: this.root,
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    });
    if (run.pid !== undefined) setPriority(run.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    return run;
  }
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
