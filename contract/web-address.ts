import { text } from './text.js';

const maxChars = 2_000;
const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const name = '(?:[A-Za-z0-9-]+\\.)*[A-Za-z][A-Za-z0-9-]*';
const port = '(?::[0-9]{1,4}|:[1-5][0-9]{4})?';
/** The letters of RFC 3986, and braces: the payment provider fills in what it finds between them. */
const rest = "(?:[/?#][A-Za-z0-9._~:/?#[\\]@!$&'()*+,;=%{}-]*)?";
const shape = `^https?://(?:${name}|${octet}(?:\\.${octet}){3})${port}${rest}$`;
const pattern = new RegExp(shape);

/** The address of a page: on a host by name or IPv4, in the letters that browsers send it in. */
export const webAddress = text(maxChars)
  .refine(value => pattern.test(value) && URL.canParse(value), 'must be an http or https URL')
  .meta({ pattern: shape });
