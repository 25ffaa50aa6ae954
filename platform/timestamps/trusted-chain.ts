import { X509Certificate } from 'node:crypto';

/** What an authority's certificate is held against. */
export interface ChainOptions {
  /** Certificates that the token brings along. They are trusted for nothing by themselves. */
  readonly others: readonly X509Certificate[];
  readonly trusted: readonly X509Certificate[];
  /** When the chain has to be valid. */
  readonly at: Date;
}

/** Longer than the chain of any authority. */
const linksMax = 8;
/** RFC 3161: the signer may time-stamp, and its certificate says so. */
const timeStamping = '1.3.6.1.5.5.7.3.8';

/** Whether a certificate may time-stamp, and leads by signatures to a trusted one. */
export function isTrustedSigner(signer: X509Certificate, options: ChainOptions): boolean {
  return usagesOf(signer).includes(timeStamping) && leadsToTrusted(signer, options, linksMax);
}

/** Node types them as always there; a certificate without any has none. */
function usagesOf({ keyUsage }: { readonly keyUsage?: readonly string[] | undefined }): readonly string[] {
  return keyUsage ?? [];
}

function leadsToTrusted(certificate: X509Certificate, options: ChainOptions, links: number): boolean {
  const { others, trusted, at } = options;
  if (!isValidAt(certificate, at)) return false;
  if (trusted.some(({ fingerprint256 }) => fingerprint256 === certificate.fingerprint256)) return true;
  if (links === 0) return false;
  return [...trusted, ...others].some(
    issuer => issued(issuer, certificate) && leadsToTrusted(issuer, options, links - 1),
  );
}

/** A certificate that signed itself leads nowhere else. */
function issued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return (
    issuer.ca &&
    issuer.fingerprint256 !== certificate.fingerprint256 &&
    certificate.checkIssued(issuer) &&
    certificate.verify(issuer.publicKey)
  );
}

function isValidAt({ validFrom, validTo }: X509Certificate, at: Date): boolean {
  return Date.parse(validFrom) <= at.getTime() && at.getTime() <= Date.parse(validTo);
}

/**
 * The certificates of a PEM file, which may hold text between them.
 *
 * @throws Error if there is none, or one cannot be read
 */
export function parseCertificates(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new Error('it holds no certificate in PEM');
  return blocks.map(block => new X509Certificate(block));
}
