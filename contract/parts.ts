import { z } from 'zod';
import { progressStages, stages } from '../council/deliberation/stages.js';
import { venues, volumeUnits } from '../council/event.js';
import { evidenceStatuses } from '../council/evidence.js';
import { councilModels } from '../council/models.js';
import { parseUrl } from '../council/parse-url.js';
import { lanes } from '../purchase/purchase.js';

/** A list in a response, readonly. */
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();

/** ISO 8601, UTC, with milliseconds. The pattern replaces zod's, which spells out the calendar. */
export const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' });
export const timestampOrNull = timestamp.nullable();

/** 0..100, at most one decimal. */
export const percent = z.number().min(0).max(100);
/** A fraction of a dollar, 0..1. */
export const price = z.number().min(0).max(1);
export const priceOrNull = price.nullable();
/** A probability or a share, 0..1. */
export const fraction = z.number().min(0).max(1);

export const credits = z.int();
export const owedCredits = credits.describe(
  'Credits that were spent before their payment was refunded or disputed. They are deducted from the next credits of the account; until then neither its credits nor its weekly grant pay for reports.',
);
export const count = z.int().min(0);
export const reportId = z.int().min(1);

export const model = z.enum(councilModels).meta({ id: 'CouncilModel' });
export const lane = z.enum(lanes).meta({ id: 'Lane' });
export const creditPool = z.enum(['weekly_grant', 'purchased']).meta({ id: 'Pool' });
export const stage = z.enum(stages).meta({ id: 'Stage' });
/** The stages in which models are called: those of the deliberation, and the search before them. */
export const callStage = z.enum(progressStages).meta({ id: 'RunStage' });
export const evidenceStatus = z.enum(evidenceStatuses).meta({ id: 'EvidenceStatus' });
export const reportStatus = z
  .enum(['pending', 'processing', 'completed', 'failed'])
  .meta({ id: 'ReportStatus' });
export const action = z.enum(['BUY_YES', 'BUY_NO', 'SKIP']).meta({ id: 'Action' });
export const side = z.enum(['BUY_YES', 'BUY_NO']).meta({ id: 'BetSide' });
export const betKind = z.enum(['edge', 'pick']).meta({ id: 'BetKind' });
export const headlineSource = z.enum(['council', 'market_implied']).meta({ id: 'HeadlineSource' });
export const volumeUnit = z.enum(Object.values(volumeUnits)).meta({ id: 'VolumeUnit' });
export const venue = z.enum(venues).meta({ id: 'Venue' });
export const tradingStatus = z.enum(['open', 'closed']).meta({ id: 'TradingStatus' });
export const resolution = z
  .enum(['unresolved', 'disputed', 'yes', 'no', 'fifty_fifty', 'void'])
  .meta({ id: 'Resolution' });

/** The market's own names for its two sides; the first is YES. */
export const sides = z.tuple([z.string(), z.string()]).readonly();

/** A 95 % interval. */
export const interval = z.tuple([z.number(), z.number()]).readonly().nullable();

/** A map by short name of a member. Members without a value are absent. */
export const byModel = <Value extends z.ZodType>(value: Value) => z.partialRecord(model, value);

/** The page fields of a list response. */
export const page = { page: z.int().min(1), per_page: z.int().min(1) };

/**
 * A string with a maximum length in code points, as JSON Schema counts it. `String.length` counts an emoji as
 * two and would reject text that the published schema allows.
 */
export const text = (maxChars: number) =>
  z
    .string()
    .refine(value => Array.from(value).length <= maxChars, {
      error: `must have at most ${maxChars} characters`,
      abort: true,
    })
    .meta({ maxLength: maxChars });

const noControls = '[^\\u0000-\\u001f\\u007f-\\u009f]*';
/** The pattern of a label without Unicode classes, which not every JSON Schema reader supports. */
const publishedLabel = `^${noControls}[^\\s\\u0000-\\u001f\\u007f-\\u009f]${noControls}$`;

/** A line that a person names something with. Trimmed. */
export const label = (maxChars: number) =>
  text(maxChars)
    .regex(/^\P{Cc}*[^\s\p{Cc}]\P{Cc}*$/u, 'must not be blank or contain control characters')
    .trim()
    .meta({ pattern: publishedLabel });

const webAddressMaxChars = 2_000;
const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const hostname = '(?:[A-Za-z0-9-]+\\.)*[A-Za-z][A-Za-z0-9-]*';
const port = '(?::[0-9]{1,4}|:[1-5][0-9]{4})?';
/** The characters of RFC 3986 and braces, between which the payment provider inserts values. */
const path = "(?:[/?#][A-Za-z0-9._~:/?#[\\]@!$&'()*+,;=%{}-]*)?";
const webAddressPattern = `^https?://(?:${hostname}|${octet}(?:\\.${octet}){3})${port}${path}$`;
const webAddressRegExp = new RegExp(webAddressPattern);

/** The URL of a web page, with a hostname or IPv4 address and percent-encoded as browsers send it. */
export const webAddress = text(webAddressMaxChars)
  .refine(value => webAddressRegExp.test(value) && parseUrl(value) !== null, 'must be an http or https URL')
  .meta({ pattern: webAddressPattern });

class Unnamed extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get(schema: z.core.$ZodType) {
    const meta = z.globalRegistry.get(schema);
    return meta === undefined ? undefined : { ...meta, id: undefined };
  }
}

/** What is known of every schema but its name: by it, `z.toJSONSchema` writes each schema where it is used. */
export const unnamed = new Unnamed();
