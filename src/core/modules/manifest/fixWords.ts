import { displayText } from '../../model/displayText';
import type { Localizer } from '../../../base/localizer';
import type { ManifestFix } from './manifestFinding';

/** Returns the user-facing description of a fix. */
export function fixWords(fix: ManifestFix, l10n: Localizer): string {
  switch (fix.kind) {
    case 'setValue':
      return l10n.t('Set to {0}', displayText(JSON.stringify(fix.value)));
    case 'renameField':
      return l10n.t('Rename to {0}', displayText(fix.name));
    case 'removeValue':
      return l10n.t('Remove This Entry');
    case 'makeExecutable':
      return l10n.t('Make {0} Executable', displayText(fix.file));
    case 'createScript':
      return l10n.t('Create {0}', displayText(fix.file));
    case 'build':
      return l10n.t('Build Module');
    case 'create':
      return l10n.t('Create Module in Registry');
  }
}
