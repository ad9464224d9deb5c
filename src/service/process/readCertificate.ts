import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { TlsCertificate } from '../server/portListener';
import { CommandError } from './commandError';
import type { ServeCommand } from './commandLine';

/**
 * Reads the certificate specified on the command line.
 * @throws CommandError if the files can't be read or don't match.
 */
export async function readCertificate({
  certificateFile,
  keyFile,
}: NonNullable<ServeCommand['tls']>): Promise<TlsCertificate> {
  try {
    const [cert, key] = await Promise.all([
      readFile(certificateFile, 'utf8'),
      readFile(keyFile, 'utf8'),
    ]);
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
      throw new Error('the key belongs to another certificate');
    }
    return { cert, key };
  } catch (error) {
    throw new CommandError(
      `the certificate ${certificateFile} with the key ${keyFile} can't be used ` +
        `(${(error as Error).message}); use PEM files that belong together`,
      undefined,
      { cause: error },
    );
  }
}
