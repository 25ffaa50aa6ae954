import { batch } from './batch.js';
import { cutOff } from './cut-off.js';
import type { Drill } from './drill.js';
import { pausedTemporal } from './paused-temporal.js';
import { stoppedSale } from './stopped-sale.js';
import { storm } from './storm.js';

export const drills: readonly Drill[] = [stoppedSale, pausedTemporal, cutOff, storm, batch];
