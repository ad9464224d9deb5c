import { toDisplayText } from '../../model/toDisplayText';
import type { Localizer } from '../../../base/localizer';
import type { ManifestFix } from './manifestFinding';

/** Formats a fix for users. */
export function formatFix(fix: ManifestFix, l10n: Localizer): string {
  switch (fix.kind) {
    case 'setValue':
      return l10n.t('Set to {0}', toDisplayText(JSON.stringify(fix.value)));
    case 'renameField':
      return l10n.t('Rename to {0}', toDisplayText(fix.name));
    case 'removeValue':
      return l10n.t('Remove This Entry');
    case 'makeExecutable':
      return l10n.t('Make {0} Executable', toDisplayText(fix.file));
    case 'createScript':
      return l10n.t('Create {0}', toDisplayText(fix.file));
    case 'build':
      return l10n.t('Build Module');
    case 'create':
      return l10n.t('Create Module in Registry');
  }
}
