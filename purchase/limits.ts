/** Every number of the product that is not part of the council's method, with its unit in its name. */

export const quoteToleranceNumerator = 15n;
export const quoteToleranceDenominator = 100n;
export const cachedPriceDivisor = 2;
export const byokCredits = 50;
export const usdMicrosPerUsd = 1_000_000;
export const usdMicrosPerCredit = 10_000;
export const subscriptionFreshUsdCents = 300;
export const subscriptionCachedUsdCents = 150;
/** Usage of this amount whose invoice is not paid keeps a subscription from paying for more. */
export const subscriptionUnpaidUsdCentsMax = 50_000;
/** Stripe deduplicates an identifier for 24 hours. Resending later could bill twice. */
export const usageResendHours = 23;
/** Stripe accepts usage of the past 35 days. */
export const usageAcceptedDays = 34;
/** The news of a renewal can arrive a little late; until then the subscription still pays. */
export const renewalGraceMinutes = 60;
/** Refused usage waits this long, then twice as long each time, up to the maximum. */
export const usageRetryMinSeconds = 60;
export const usageRetryMaxSeconds = 3_600;
/** Stripe cancels a meter event within 24 hours of receiving it. */
export const usageCancelHours = 24;
/** Stripe counts usage some time after it accepted it. */
export const usageCountedWithinHours = 6;

/** A webhook arrives within seconds. After this time, Stripe is asked whether a checkout was paid. */
export const checkoutAskedAfterMinutes = 5;
/** A session expires after a day, but some payments take two weeks. Afterwards Stripe is not asked again. */
export const checkoutAskedDays = 30;

export const runsPerHour = 5;
export const runWindowSeconds = 3_600;
/** Refunded runs that do not count towards the runs per hour. Further ones count: each has cost its model calls. */
export const uncountedRefundsPerHour = 5;
/** The rows of a batch. */
export const batchRowsMax = 500;
export const batchNameMaxChars = 200;
/** The rows that a batch has in flight at once: the most, and unless it asks for fewer. */
export const batchInFlightMax = 20;
export const batchInFlightDefault = 10;
/** The fresh rows of all batches of an account that are in flight at once, and that it starts in a UTC day. */
export const batchRowsInFlightPerAccount = 20;
export const batchFreshRowsPerDay = 1_000;
/** The most that a batch may spend. */
export const batchBudgetCreditsMax = 10_000_000;
/** Each reads as much as so many price checks as it has rows. */
export const batchDryRunsPerMinute = 10;
/** An event whose runs failed this often within the time of a rest starts no run for that time. */
export const failuresBeforeRest = 2;
export const eventRestSeconds = 900;
/** An answer that was cut off at its limit of output tokens is requested once more, with this many times the room. */
export const truncatedAnswerRoomFactor = 2;
/** How often a member may search the web for one report. Each search is billed. */
export const searchesMax = 4;
/**
 * Temporal ends a run after this time, even if nobody can work on it any more, and its charge is refunded. Longer than a
 * run waits for all its steps together (`outageMaxMs` in `workflows/activity-options.ts`), so it ends no run that can go on.
 */
export const runOpenMaxMinutes = 120;
/** A run takes at most two minutes. One still open after this time has lost its workflow or database. */
export const strandedAfterMinutes = 15;
export const liveKeysPerAccount = 20;
/** The latest end that a new key can have. */
export const keyEndMaxYears = 5;
/** The highest limit that a key can have for a day. */
export const keyCreditsPerDayMax = 1_000_000;
/** A key that has expired stays in the list for so long, so that its owner sees why it stopped. */
export const expiredKeysListedDays = 30;
/** Networks of a key that are remembered, the newest. */
export const keyNetworksSeenMax = 20;
/** Mails a day of a key that is used from networks that are new to it. */
export const keyNetworkMailsPerDay = 3;
/** Mails a day of an account that creates keys. */
export const newKeyMailsPerDay = 10;
export const webhooksPerAccount = 10;
export const webhookLabelMaxChars = 200;
/** How long the secret before the present one goes on signing. */
export const webhookSecretKeptHours = 24;
/** Tests and repeated deliveries that an account may ask for: each is a request to an address that it has named. */
export const webhookSendsPerMinute = 30;
/** A delivery has ten tries, and more if its owner repeats it. */
export const webhookAttemptsListed = 30;
/** How many of each kind (keys, checkouts, webhooks and their tests, batches) an account may create in a day. All are free. */
export const keptRowsPerDayPerAccount = 100;
/** The length of an account's own name. It stands in session tokens, which are sent in a header. */
export const accountNameMaxChars = 100;

/** The public keys of session tokens are loaded again after this time, and removed ones are refused. */
export const sessionKeysFreshSeconds = 600;
/** How long they are used while they cannot be loaded. */
export const sessionKeysKeptSeconds = 3_600;
/** The time between two loads that tokens of unknown keys ask for: at an identity provider, and in our own database. */
export const providerKeysReloadSeconds = 30;
export const builtInKeysReloadSeconds = 1;
/** How long an identity provider may take to send its keys. */
export const providerKeysWithinSeconds = 3;

/** The time between two audits of all rows; hourly audits compare what has changed. */
export const fullAuditEveryDays = 7;
/** One that did not finish is tried again. It reads for minutes, and keeps old versions of rows alive meanwhile. */
export const fullAuditRetriedAfterDays = 1;
/** When it begins no further statement. A statement has a minute, and the round of the duty ten. */
export const fullAuditWithinMs = 8 * 60_000;

export const idempotencyKeyMaxChars = 255;
export const idempotencyKeptHours = 24;
/** Model calls feed the quote when their run completes. Afterwards operators read them to compare vendors. */
export const modelCallsKeptDays = 90;
/** What the house's calls of each hour cost, with the present UTC day. */
export const houseSpendKeptDays = 2;
/** Earlier prices. The one in force is kept at any age. */
export const quotesKeptDays = 90;
/** A session is deleted so long after its end. */
export const sessionsKeptDays = 7;
/** Deliveries of webhooks that have ended, with their tries. The last try of a delivery is three days after its first. */
export const webhookDeliveriesKeptDays = 30;

/** The limit of one network, with and without a credential. It is far above what one caller needs. */
export const requestsPerMinutePerAddress = 6_000;
/** The limit of one API key, or of one account by its sessions. */
export const requestsPerMinutePerCredential = 3_000;
/**
 * The limit of one network without a verified credential: enough for a hundred page views a minute, and for a program
 * that reads the public record of 50,000 reports.
 */
export const requestsPerMinuteAnonymous = 600;
export const requestWindowSeconds = 60;
/** An IPv6 site (/48) has so many times the limit of one network (/56), although it has 256 of them. */
export const networksPerSite = 4;
/** New weekly grants that one network may use in a UTC day. A household has its own; a farm of accounts does not. */
export const grantsPerNetworkPerDay = 3;
/** Which mailbox and network took a grant is needed until the week is over. */
export const grantClaimsKeptDays = 8;
/** A process takes this part of a limit at once from the count that all processes share, and spends it in memory. */
export const leasesPerLimit = 50;
/** Callers whose leases a process remembers. One more makes the longest idle one lose what it had leased. */
export const leaseHoldersMax = 50_000;
/** A credential counts as verified for so long after it was last used. */
export const credentialKnownMinutes = 15;
export const knownCredentialsMax = 50_000;
/** A shared count that takes longer is made in the memory of the process. As long as a statement may take. */
export const sharedCountWithinMs = 5_000;
/** How long a process counts in its memory before it tries the shared counts again. */
export const sharedCountsRetriedAfterMs = 5_000;

/** A caller who signed in to an account is not held up by what others try there from elsewhere. */
export const signedInNetworkKnownDays = 30;
/** Each takes a core for some 80 ms, and one of the four threads on which Node also reads files and resolves names. */
export const passwordsHashedAtOnce = 2;
/** The queue is about a second and a half of work. Further ones are refused. */
export const passwordsWaitingMax = 32;
export const passwordsBusyRetrySeconds = 3;

export const bodyMaxBytes = 64 * 1024;
/** The request line and all headers together. */
export const headersMaxBytes = 16 * 1024;
/** The time from the first byte of a request to the end of its headers. */
export const headersWithinSeconds = 15;
/** The time from the first byte of a request to the end of its body. The answer may take longer. */
export const requestWithinSeconds = 30;
/** The time from a request's headers to the last byte of the answer that its caller takes. One may be held for 50 s. */
export const answerWithinSeconds = 300;
/** The connections to one API process. Further ones are closed. */
export const connectionsMax = 5_000;
export const pageSizeDefault = 20;
export const pageSizeMax = 100;
export const waitMaxSeconds = 50;
/** Responses that are held until their report changes, and event streams, in all API processes together. */
export const heldAnswersPerAccount = 10;
/** A held response takes a connection and some 30 KB. */
export const heldAnswersPerProcess = 1_000;
/** A stream ends after this time, and its reader connects again. Less than `answerWithinSeconds`. */
export const streamSeconds = 240;
/** A caller may try again after this time to have a response held. */
export const heldAnswerRetrySeconds = 2;
export const quotedCreditsMax = 1_000_000;
export const quotedUsdCentsMax = 1_000_000;

/** How long the link in a mail works. */
export const verificationLinkHours = 24;
export const passwordLinkMinutes = 60;
/** More mails than this wait for the mail server only in a flood; further ones are not sent. */
export const mailsWaitingMax = 1_000;
/** Pauses before the second and the third attempt to send a mail. */
export const mailRetriedAfterSeconds = [5, 60] as const;
/** Requests for a new password are answered this late, so that the time does not tell whether an account exists. */
export const passwordRequestAnsweredAfterMs = 300;

/** `page × per_page` of a search for events. Deeper pages would read the market from the start of its list. */
export const eventSearchDepthMax = 1_000;
/** How long what the market said about a question answers the same question, for every caller and API process. */
export const marketAnswerFreshSeconds = 30;
/** The same of the answer that the market does not know an event, so that made-up names are asked about once. */
export const marketUnknownFreshSeconds = 60;
/** How long it may stand in, with its age, while the market cannot be read. */
export const marketAnswerStaleSeconds = 300;
/** How long a question may take at the market, with all its requests. */
export const marketQuestionMaxSeconds = 12;
/**
 * Requests that an API process may send to the market for readers. Polymarket allows 35 searches and 50 reads of events
 * a second, to all processes behind one address together.
 */
export const polymarketRequests = { perSecond: 10, burst: 40 };
/**
 * Kalshi answers one request at a time, over all processes behind one address: this long after the one before. Requests that
 * came closer together were answered with 429, without a time to wait.
 */
export const kalshiRequests = { spacingMs: 350 };
/** The whole list of Kalshi's open events is read again after this time: what it no longer names is closed. */
export const kalshiWholePassHours = 6;
/** A pass that has not ended by then begins again: its cursor may have expired. */
export const kalshiPassMaxHours = 1;
/** Closed events of the index that the venue has not listed for so long are deleted. */
export const kalshiClosedEventsKeptDays = 90;
/** How long a request waits for its turn at such a venue. A search fails before its reader gives up. */
export const turnPatienceMs = {
  purchase: 10_000,
  run: 10_000,
  check: 10_000,
  batch: 10_000,
  grading: 10_000,
  browse: 2_500,
};
/**
 * How often an account has the market read, other than for a report that it can pay for: for price checks, and to learn
 * which event a purchase names if no report on it was ever sold. What is kept counts nowhere.
 */
export const marketChecksPerMinutePerAccount = 20;
export const marketLookupsPerMinutePerAccount = 10;
/** What searches and reads without a purchase leave of the burst to price checks. */
export const marketRequestsReserved = 20;

/** Whole exports of the track record that an API process sends at a time, in all and to one address. */
export const exportsOpenMax = 20;
export const exportsOpenPerAddressMax = 4;
/** A reader that takes nothing for the first time, or not everything within the second, is disconnected. */
export const exportIdleMaxSeconds = 30;
export const exportWithinSeconds = 300;
