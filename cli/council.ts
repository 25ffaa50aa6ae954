import { runCouncil } from './run-council.js';

/** `npm run council`: the entry point of the command line. */

// A reader of only the first lines (`| head`) closes the pipe early; that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const exitCode = await runCouncil(process.argv.slice(2), process.env, process);
if (exitCode === 0) process.exitCode = 0;
else process.exit(exitCode);
