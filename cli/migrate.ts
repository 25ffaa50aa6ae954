import { readSettings } from '../config/settings.js';
import { migrate } from '../db/migrate.js';
import { withDatabase } from './with-database.js';

/** `npm run migrate`, a composition root: brings the database at DATABASE_URL to the newest schema. */
try {
  const url = readSettings(process.env).DATABASE_URL;
  if (url === undefined) throw new Error('DATABASE_URL is needed; `npm start` migrates its own database.');
  const names = await withDatabase(url, migrate);
  console.log(names.length === 0 ? 'The database is up to date.' : `Ran ${names.join(', ')}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
