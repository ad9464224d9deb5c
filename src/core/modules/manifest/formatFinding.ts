import { toDisplayText } from '../../model/toDisplayText';
import type { Localizer } from '../../../base/localizer';
import { BUILD_WORDS } from './buildWords';
import { type FormatMessage, FIELD_WORDS } from './fieldWords';
import type { FindingCode, ManifestFinding } from './manifestFinding';

const WORDS: Readonly<Record<FindingCode, FormatMessage>> = { ...FIELD_WORDS, ...BUILD_WORDS };

/**
 * Formats an error or warning for users, with a recommended action. Inserts texts from manifests
 * and builds on one line.
 */
export function formatFinding(
  { code, args }: Pick<ManifestFinding, 'code' | 'args'>,
  l10n: Localizer,
): string {
  const [first = '', second = '', third = ''] = args.map((arg) => toDisplayText(arg));
  return WORDS[code](l10n, first, second, third);
}
