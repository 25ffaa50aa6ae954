import { readSettings } from '../platform/settings/settings.js';
import { migrateDatabase } from './connections/with-database.js';
import { explainFailure } from './terminal/explain-failure.js';
import { Failure } from './terminal/failure.js';

/** `npm run migrate`: migrates the database at DATABASE_URL to the newest schema. */
try {
  const url = readSettings(process.env).DATABASE_URL;
  if (url === undefined) {
    throw new Failure('DATABASE_URL is not set.', {
      next: 'Set it to the database to migrate. `npm start` migrates its own database at each start.',
    });
  }
  const names = await migrateDatabase(url);
  console.log(names.length === 0 ? 'The database is up to date.' : `Ran ${names.join(', ')}.`);
} catch (error) {
  const { message, next } = explainFailure(error);
  console.error(`${message}\n${next}`);
  process.exit(1);
}
