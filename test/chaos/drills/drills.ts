import { cutOff } from './cut-off.js';
import type { Drill } from './drill.js';
import { stoppedSale } from './stopped-sale.js';
import { storm } from './storm.js';

export const drills: readonly Drill[] = [stoppedSale, cutOff, storm];
