import { generate } from 'selfsigned';
import type { TlsCertificate } from '../../src/service/server/portListener';

/** Creates a self-signed certificate for 127.0.0.1. */
export async function makeCertificate(): Promise<TlsCertificate> {
  const altNames = [{ type: 7 as const, ip: '127.0.0.1' }];
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'fleet' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames }],
  });
  return { cert, key };
}
