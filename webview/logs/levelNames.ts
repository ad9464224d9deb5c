import * as l10n from '@vscode/l10n';
import type { LevelKind } from '../../src/shared/logs';

/** Returns a log level's localized name. */
export function getLevelName(level: LevelKind): string {
  switch (level) {
    case 'debug':
      return l10n.t('Debug');
    case 'info':
      return l10n.t('Info');
    case 'warn':
      return l10n.t('Warning');
    case 'error':
      return l10n.t('Error');
    case 'other':
      return l10n.t('Other');
  }
}
