import { displayText } from '../../model/displayText';
import type { Localizer } from '../../../base/localizer';
import type { Say } from './say';
import { BUILD_WORDS } from './buildWords';
import { FIELD_WORDS } from './fieldWords';
import type { FindingCode, ManifestFinding } from './manifestFinding';

const WORDS: Readonly<Record<FindingCode, Say>> = { ...FIELD_WORDS, ...BUILD_WORDS };

/**
 * What is wrong or doubtful, for people, with what to do about it. What manifests and builds say stands
 * in it as text on one line.
 */
export function findingWords(
  { code, args }: Pick<ManifestFinding, 'code' | 'args'>,
  l10n: Localizer,
): string {
  const [first = '', second = '', third = ''] = args.map((arg) => displayText(arg));
  return WORDS[code](l10n, first, second, third);
}
