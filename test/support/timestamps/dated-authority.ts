import { createHash, webcrypto } from 'node:crypto';
import { Integer, Null, ObjectIdentifier, OctetString, Sequence, Utf8String } from 'asn1js';
import {
  AlgorithmIdentifier,
  Attribute,
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  Extension,
  ExtKeyUsage,
  IssuerAndSerialNumber,
  id_eContentType_TSTInfo,
  id_sha256,
  MessageImprint,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TSTInfo,
} from 'pkijs';

/** A time-stamp authority (RFC 3161) that signs at any time that a test names: OpenSSL's own signs the present alone. */
export interface DatedAuthority {
  /** The root certificate, PEM. */
  readonly certificate: string;
  /** A token, DER, for the SHA-256 of this data. */
  stamp(data: Uint8Array, at: Date): Promise<Buffer>;
}

export async function createDatedAuthority(name: string): Promise<DatedAuthority> {
  const [root, signer] = [await newKeys(), await newKeys()];
  const ca = await certify(
    `${name} root`,
    root.publicKey,
    { name: `${name} root`, key: root.privateKey },
    caOnly(),
  );
  const own = await certify(
    name,
    signer.publicKey,
    { name: `${name} root`, key: root.privateKey },
    stampsOnly(),
  );
  return {
    certificate: pem(ca),
    stamp: async (data, at) => {
      const content = new EncapsulatedContentInfo({
        eContentType: id_eContentType_TSTInfo,
        eContent: new OctetString({ valueHex: infoOf(data, at) }),
      });
      const sid = new IssuerAndSerialNumber({ issuer: own.issuer, serialNumber: own.serialNumber });
      const attributes = attributesOf(infoOf(data, at), own);
      const signedAttrs = new SignedAndUnsignedAttributes({ type: 0, attributes });
      const signed = new SignedData({
        version: 3,
        encapContentInfo: content,
        signerInfos: [new SignerInfo({ version: 1, sid, signedAttrs })],
        certificates: [own],
      });
      await signed.sign(signer.privateKey, 0, 'SHA-256');
      const token = new ContentInfo({ contentType: ContentInfo.SIGNED_DATA, content: signed.toSchema(true) });
      return Buffer.from(token.toSchema().toBER());
    },
  };
}

function newKeys() {
  return webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
}

async function certify(
  subject: string,
  publicKey: webcrypto.CryptoKey,
  issuer: { readonly name: string; readonly key: webcrypto.CryptoKey },
  extensions: Extension[],
): Promise<Certificate> {
  const certificate = new Certificate({ version: 2, serialNumber: new Integer({ value: subject.length }) });
  certificate.subject.typesAndValues.push(commonName(subject));
  certificate.issuer.typesAndValues.push(commonName(issuer.name));
  certificate.notBefore.value = new Date('2020-01-01');
  certificate.notAfter.value = new Date('2049-01-01');
  certificate.extensions = extensions;
  await certificate.subjectPublicKeyInfo.importKey(publicKey);
  await certificate.sign(issuer.key, 'SHA-256');
  return certificate;
}

function commonName(value: string): AttributeTypeAndValue {
  return new AttributeTypeAndValue({ type: '2.5.4.3', value: new Utf8String({ value }) });
}

function caOnly(): Extension[] {
  const extnValue = new BasicConstraints({ cA: true }).toSchema().toBER();
  return [new Extension({ extnID: '2.5.29.19', critical: true, extnValue })];
}

function stampsOnly(): Extension[] {
  const extnValue = new ExtKeyUsage({ keyPurposes: ['1.3.6.1.5.5.7.3.8'] }).toSchema().toBER();
  return [new Extension({ extnID: '2.5.29.37', critical: true, extnValue })];
}

function infoOf(data: Uint8Array, at: Date): ArrayBuffer {
  const info = new TSTInfo({
    version: 1,
    policy: '1.2.3.4.1',
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: id_sha256, algorithmParams: new Null() }),
      hashedMessage: new OctetString({ valueHex: sha256(data) }),
    }),
    serialNumber: new Integer({ value: 1 }),
    genTime: at,
  });
  return info.toSchema().toBER();
}

/** What RFC 3161 demands to be signed: kind and digest of the content, and which certificate signs. */
function attributesOf(info: ArrayBuffer, own: Certificate): Attribute[] {
  const certificateDigest = new OctetString({ valueHex: sha256(new Uint8Array(own.toSchema(true).toBER())) });
  const signingCertificate = new Sequence({
    value: [new Sequence({ value: [new Sequence({ value: [certificateDigest] })] })],
  });
  const digest = new OctetString({ valueHex: sha256(new Uint8Array(info)) });
  return [
    new Attribute({
      type: '1.2.840.113549.1.9.3',
      values: [new ObjectIdentifier({ value: id_eContentType_TSTInfo })],
    }),
    new Attribute({ type: '1.2.840.113549.1.9.4', values: [digest] }),
    new Attribute({ type: '1.2.840.113549.1.9.16.2.47', values: [signingCertificate] }),
  ];
}

function sha256(data: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash('sha256').update(data).digest());
}

function pem(certificate: Certificate): string {
  const body = Buffer.from(certificate.toSchema(true).toBER()).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${body.replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`;
}
