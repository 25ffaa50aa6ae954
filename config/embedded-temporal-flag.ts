/** Tells the API that all of Temporal is the embedded server, with one worker: `npm start` says so, and nobody else. */
export const embeddedTemporalFlag = '--embedded-temporal';
