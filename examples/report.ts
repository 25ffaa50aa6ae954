/**
 * Buys a report within a price, waits for it and prints it, with the client package.
 *
 *   npm install council-report-client
 *   COUNCIL_API_KEY=pc_live_… node report.ts sample-fed-cut-2031 150
 *
 * The arguments are the id of an event and the most that its report may cost in credits. The client compares that with
 * the price, which is in the purchase as its quote: the service charges it or less, or nothing. Dollars are never billed.
 * If it is started again on the same day, the report is owned and free. Node before 22.18 compiles it first.
 */

import { CouncilReports } from 'council-report-client';

const [eventId = '', limit = ''] = process.argv.slice(2);
const { COUNCIL_API_KEY: apiKey = '', COUNCIL_BASE_URL: baseUrl = 'http://127.0.0.1:3000' } = process.env;
const { reports } = new CouncilReports({ apiKey, baseUrl });
// What is no number is 0, and buys nothing.
const { id } = await reports.runAndWait({ eventId, lane: 'credits', maxCredits: Number(limit) || 0 });
const inWords = { 'X-API-Key': apiKey, Accept: 'text/markdown' }; // its limits first
const text = await (await fetch(`${baseUrl}/api/reports/${id}`, { headers: inWords })).text();
// Titles and sources are texts of others: none may control the terminal.
console.log(text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ''));
