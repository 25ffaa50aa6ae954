import { exampleOf } from '../../../api/openapi/examples.js';
import { eventShape } from '../../../contract/events.js';
import { receiptShape } from '../../../contract/purchase.js';
import { reportShape } from '../../../contract/reports.js';

/** Responses of the API reference, typed by their schemas. Tests change single fields of them. */

export const eventExample = eventShape.parse(exampleOf('getEvent', 'yes_or_no'));
export const receiptExample = receiptShape.parse(exampleOf('createReport', 'fresh'));
export const reportExample = reportShape.parse(exampleOf('getReport', 'completed'));
export const researchingExample = reportShape.parse(exampleOf('getReport', 'researching'));
export const runningExample = reportShape.parse(exampleOf('getReport', 'processing'));
export const failedExample = reportShape.parse(exampleOf('getReport', 'failed'));

if (reportExample.deliberation === null) throw new Error('the completed report has no deliberation');
export const deliberationExample = reportExample.deliberation;
