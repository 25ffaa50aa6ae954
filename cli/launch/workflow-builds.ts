import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles } from '../../platform/settings/project-files.js';
import { buildIdOf } from '../../platform/temporal/worker-versions.js';

/** The workflow code that one worker process runs. */
export interface WorkflowBuild {
  readonly buildId: string;
  /** The bundle, kept under `COUNCIL_HOME` for as long as runs that began on it are open. */
  readonly bundle: string;
}

/**
 * Keeps a copy of this build's workflow code in `COUNCIL_HOME/builds`. After an update, the runs that an earlier build
 * began go on with the code they began with.
 */
export function keepWorkflowBuild(home: string): WorkflowBuild {
  const code = readFileSync(projectFiles.workflowBundle, 'utf8');
  const build = buildAt(home, buildIdOf(code));
  mkdirSync(join(home, folder), { recursive: true });
  if (!existsSync(build.bundle)) writeFileSync(build.bundle, code);
  return build;
}

/**
 * The earlier builds that open runs still need. Removes the kept code of all others.
 *
 * @param inUse build ids with open runs
 * @param log called once for each build whose code is no longer there, with what to do about it
 */
export function earlierBuilds(
  home: string,
  current: WorkflowBuild,
  inUse: readonly string[],
  log: (line: string) => void,
): readonly WorkflowBuild[] {
  const needed = inUse.filter(buildId => buildId !== current.buildId);
  for (const file of readdirSync(join(home, folder))) {
    const buildId = file.replace(/\.cjs$/, '');
    if (buildId !== current.buildId && !needed.includes(buildId)) rmSync(join(home, folder, file));
  }
  return needed
    .map(buildId => buildAt(home, buildId))
    .filter(({ buildId, bundle }) => {
      if (existsSync(bundle)) return true;
      log(
        `Runs that began on workflow build ${buildId} wait: its code is not in ${join(home, folder)}. Terminate them in the Temporal Web UI; they are refunded within a minute.`,
      );
      return false;
    });
}

const folder = 'builds';

function buildAt(home: string, buildId: string): WorkflowBuild {
  return { buildId, bundle: join(home, folder, `${buildId}.cjs`) };
}
