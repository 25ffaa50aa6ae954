import type { Tool } from './tool.js';
import { checkReport } from './tools/check-report.js';
import { getEvent } from './tools/get-event.js';
import { getPricing } from './tools/get-pricing.js';
import { getReport } from './tools/get-report.js';
import { getTrackRecord } from './tools/get-track-record.js';
import { runReport } from './tools/run-report.js';
import { searchEvents } from './tools/search-events.js';

/** Every tool, in the order in which an assistant comes to need them (`contract` §9). */
export const tools: readonly Tool[] = [
  searchEvents,
  getEvent,
  getPricing,
  checkReport,
  runReport,
  getReport,
  getTrackRecord,
];
