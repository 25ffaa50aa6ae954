import { writeFileSync } from 'node:fs';
import { clientTypes } from './client-types.js';

/** `npm run client-types` */
writeFileSync('client/api-types.ts', clientTypes());
