import { readFileSync } from 'node:fs';
import type { Logger } from '../../core/ports';
import { settings } from '../../manifest/contributions';
import { readSetting } from './settingsReader';

/** Reads the certificate authorities from the PEM files in the settings. Logs unreadable files. */
export function readCertificateAuthorities(logger: Logger): readonly string[] {
  return readSetting(settings.certificateAuthorities).flatMap((path) => {
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      logger.error("A certificate authority can't be read", { path, reason });
      return [];
    }
  });
}
