import { X509Certificate } from 'node:crypto';
import { fromBER, Integer, Null, OctetString, Sequence } from 'asn1js';
import {
  AlgorithmIdentifier,
  Certificate,
  ContentInfo,
  id_eContentType_TSTInfo,
  id_sha256,
  MessageImprint,
  PKIStatus,
  SignedData,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';
import { isTrustedSigner } from './trusted-chain.js';

/** `unreachable`: no answer. `refused`: the authority gave no time stamp. `invalid`: what it sent is none of ours. */
export type TimestampFailure = 'unreachable' | 'refused' | 'invalid';

export class TimestampFailed extends Error {
  override readonly name = 'TimestampFailed';
  readonly kind: TimestampFailure;

  constructor(kind: TimestampFailure, reason: string) {
    super(`the time-stamp authority gave no usable time stamp: ${reason}`);
    this.kind = kind;
  }
}

/** A token of RFC 3161, as DER, and the time that it states. */
export interface Timestamp {
  readonly token: Buffer;
  readonly at: Date;
}

/** The request, as DER. It asks for the certificate of the authority, so that the token can be verified alone. */
export function timestampRequest(digest: Uint8Array, nonce: Uint8Array): Uint8Array<ArrayBuffer> {
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: id_sha256, algorithmParams: new Null() }),
      hashedMessage: new OctetString({ valueHex: Uint8Array.from(digest) }),
    }),
    nonce: integerOf(nonce),
    certReq: true,
  });
  return new Uint8Array(request.toSchema().toBER());
}

export interface Requested {
  /** What is time-stamped, and its SHA-256. */
  readonly data: Uint8Array;
  readonly digest: Uint8Array;
  readonly nonce: Uint8Array;
  /** Certificates of the authority that the signer has to lead to; null: any signer. */
  readonly trusted: readonly X509Certificate[] | null;
}

/**
 * The token of a response, once it is known that the authority granted what was asked: the same hash, the same nonce,
 * and a signature by the certificate in the token. That certificate is compared with the trusted ones only if there are
 * any: those who rely on the token decide whom they trust.
 * @throws TimestampFailed
 */
export async function verifyTimestamp(body: Buffer, requested: Requested): Promise<Timestamp> {
  const { status } = parsed(() => TimeStampResp.fromBER(bytesOf(body)));
  if (status.status !== PKIStatus.granted && status.status !== PKIStatus.grantedWithMods) {
    const said = (status.statusStrings ?? []).map(text => text.getValue()).join(', ');
    throw new TimestampFailed('refused', `its status is ${status.status}${said === '' ? '' : ` (${said})`}`);
  }
  const token = tokenOf(body);
  const signed = parsed(() => new SignedData({ schema: ContentInfo.fromBER(bytesOf(token)).content }));
  const content = signed.encapContentInfo.eContent;
  if (signed.encapContentInfo.eContentType !== id_eContentType_TSTInfo || content === undefined) {
    throw new TimestampFailed('invalid', 'its token is of another kind');
  }
  const stamped = parsed(() => TSTInfo.fromBER(content.getValue()));
  demandRequested(stamped, requested);
  const signer = await demandSigned(signed, requested.data);
  if (requested.trusted !== null)
    demandTrusted(signed, signer, { trusted: requested.trusted, at: stamped.genTime });
  return { token, at: stamped.genTime };
}

function demandRequested({ messageImprint, nonce }: TSTInfo, requested: Requested): void {
  const { hashAlgorithm, hashedMessage } = messageImprint;
  const hash = Buffer.from(hashedMessage.valueBlock.valueHexView);
  if (hashAlgorithm.algorithmId !== id_sha256 || !hash.equals(requested.digest)) {
    throw new TimestampFailed('invalid', 'its token is for another hash');
  }
  if (nonce === undefined || !nonce.isEqual(integerOf(requested.nonce))) {
    throw new TimestampFailed('invalid', 'its token is the answer to another request');
  }
}

/** @returns the certificate of the signer */
async function demandSigned(signed: SignedData, data: Uint8Array): Promise<Certificate> {
  const parameters = { signer: 0, data: bytesOf(data), extendedMode: true as const };
  const { signatureVerified, signerCertificate } = await signed.verify(parameters).catch(error => {
    throw new TimestampFailed('invalid', error instanceof Error ? error.message : String(error));
  });
  if (signatureVerified !== true || !signerCertificate) {
    throw new TimestampFailed('invalid', 'the signature of its token is wrong');
  }
  return signerCertificate;
}

function demandTrusted(
  signed: SignedData,
  signer: Certificate,
  { trusted, at }: { readonly trusted: readonly X509Certificate[]; readonly at: Date },
): void {
  const others = (signed.certificates ?? []).filter(each => each instanceof Certificate).map(toX509);
  if (isTrustedSigner(toX509(signer), { others, trusted, at })) return;
  throw new TimestampFailed('invalid', 'its certificate does not lead to one of TIMESTAMP_CA');
}

function toX509(certificate: Certificate): X509Certificate {
  return new X509Certificate(Buffer.from(certificate.toSchema().toBER()));
}

/** The second part of the response, byte for byte: a signature covers bytes, which another encoding could change. */
function tokenOf(body: Buffer): Buffer {
  const { result } = fromBER(bytesOf(body));
  const token = result instanceof Sequence ? result.valueBlock.value[1] : undefined;
  if (token === undefined) throw new TimestampFailed('invalid', 'its answer has no token');
  return Buffer.from(token.valueBeforeDecodeView);
}

function parsed<Value>(parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TimestampFailed('invalid', `its answer cannot be read (${reason})`);
  }
}

/** Positive, in the shortest form: an authority sends the number back, in its own encoding. */
function integerOf(bytes: Uint8Array): Integer {
  return Integer.fromBigInt(BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
}

/** An `ArrayBuffer` of these bytes alone. */
function bytesOf(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}
