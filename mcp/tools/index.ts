import { checkReport } from './check-report.js';
import { getEvent } from './get-event.js';
import { getPricing } from './get-pricing.js';
import { getReport } from './get-report.js';
import { getTrackRecord } from './get-track-record.js';
import { runReport } from './run-report.js';
import { searchEvents } from './search-events.js';
import type { Tool } from './tool.js';

/** Every tool, in the order in which an assistant needs them. */
export const tools: readonly Tool[] = [
  searchEvents,
  getEvent,
  getPricing,
  checkReport,
  runReport,
  getReport,
  getTrackRecord,
];
