import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { projectFiles } from '../config/project-files.js';
import { benchRegrade } from './bench-regrade.js';
import { withBenchServices } from './with-bench-services.js';

/** `npm run bench`, a composition root: prints ratios and writes `bench/results.json`. */
const regrade = await withBenchServices(process.env, benchRegrade);
const results = { node: process.version, cores: cpus().length, regrade };
writeFileSync(join(projectFiles.root, 'bench', 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
console.log(JSON.stringify(results, null, 2));
process.exit(0);
