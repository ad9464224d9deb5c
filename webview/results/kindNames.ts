import * as l10n from '@vscode/l10n';
import type { ResultNode } from '../../src/shared/query/results';

/** Returns the names of the kinds of values. */
export function getKindNames(): Readonly<Record<ResultNode['kind'], string>> {
  return {
    number: l10n.t('Number'),
    text: l10n.t('Text'),
    boolean: l10n.t('True or false'),
    time: l10n.t('Time'),
    null: l10n.t('Null'),
    json: l10n.t('JSON'),
    binary: l10n.t('Binary'),
    list: l10n.t('List'),
    object: l10n.t('Object'),
  };
}
