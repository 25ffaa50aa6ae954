import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTask } from '../../platform/embedded/process/run-command.js';
import { type Service, spawnService } from '../../platform/embedded/process/spawn-service.js';
import { projectFiles } from '../../platform/settings/project-files.js';

/** A step, and where it runs. */
export interface StepRun {
  readonly step: string;
  /** The folder of the checkout. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

interface ServiceRun extends StepRun {
  readonly name: string;
  readonly logFile: string;
  /** How long it may take to end. */
  readonly stopWithinMs: number;
}

/**
 * The commands of deploy/README.md: each block of code after a comment `<!-- step: NAME -->`. The suite has no commands
 * of its own, so that what it proves is what the document says.
 */
export class Runbook {
  private readonly texts: ReadonlyMap<string, string>;
  private readonly used = new Set<string>();
  private readonly signal: AbortSignal;

  private constructor(texts: ReadonlyMap<string, string>, signal: AbortSignal) {
    this.texts = texts;
    this.signal = signal;
  }

  /** @param signal ends the step that is running */
  static async open(signal: AbortSignal): Promise<Runbook> {
    const document = await readFile(join(projectFiles.root, 'deploy', 'README.md'), 'utf8');
    return new Runbook(readSteps(document), signal);
  }

  /** @throws Error when the document has no such step */
  textOf(step: string): string {
    const text = this.texts.get(step);
    if (text === undefined) throw new Error(`deploy/README.md has no step ${step}`);
    this.used.add(step);
    return text;
  }

  /** Runs a step to its end. @returns what it printed. @throws Error with the same when it fails */
  async run({ step, cwd, env }: StepRun): Promise<string> {
    const lines: string[] = [];
    const args = ['-euo', 'pipefail', '-c', this.textOf(step)];
    const onLine = (line: string) => lines.push(line);
    await runTask({ command: 'bash', args, cwd, env, signal: this.signal, onLine }).catch(
      (cause: unknown) => {
        throw new Error(`the step ${step} of deploy/README.md failed:\n${lines.join('\n')}`, { cause });
      },
    );
    return lines.join('\n');
  }

  /** Starts a step that runs until it is stopped. Its shell is replaced by its program. */
  start({ step, cwd, env, name, logFile, stopWithinMs }: ServiceRun): Promise<Service> {
    return spawnService({
      name,
      command: 'bash',
      args: ['-euo', 'pipefail', '-c', this.textOf(step)],
      cwd,
      env,
      logFile,
      endSteps: [
        { signal: 'SIGTERM', waitMs: stopWithinMs },
        { signal: 'SIGKILL', waitMs: killedWithinMs },
      ],
    });
  }

  /** The steps that nothing has run. */
  get unused(): readonly string[] {
    return [...this.texts.keys()].filter(step => !this.used.has(step));
  }
}

const killedWithinMs = 5_000;

/** The text of each step, without its indentation in a list. */
export function readSteps(document: string): ReadonlyMap<string, string> {
  const blocks = document.matchAll(/^( *)<!-- step: ([a-z-]+) -->\n *```sh\n([^]*?)^ *```$/gm);
  const steps = new Map<string, string>();
  for (const [, indent = '', name = '', block = ''] of blocks) {
    if (steps.has(name)) throw new Error(`two steps have the name ${name}`);
    steps.set(name, block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
  }
  return steps;
}
