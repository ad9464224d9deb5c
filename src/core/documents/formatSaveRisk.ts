import type { Localizer } from '../../base/localizer';
import { quoteName } from '../confirmations/confirmation';
import { shortList, toDisplayText } from '../model/displayText';
import type { SaveRisk } from './saveRisk';

/** Maximum number of names in the summary. */
const MAX_NAMES = 10;
/** Maximum length of a problem's message, which can contain text from the config. */
const MAX_PROBLEM_LENGTH = 400;

/**
 * Formats the effects of a save, one per line.
 *
 * @param language language tag for lists of names
 */
export function formatSaveRisk(risk: SaveRisk, l10n: Localizer, language = 'en'): string {
  const { removed, renamed, newProblems, partCount } = risk;
  const problem = toDisplayText(newProblems[0] ?? '', MAX_PROBLEM_LENGTH);
  const names = new Intl.ListFormat(language, { type: 'unit' });
  const lines = [
    formatRemoved(removed, names, l10n),
    formatRenamed(renamed, names, l10n),
    formatUse(partCount, l10n),
    newProblems.length === 1 ? l10n.t('It adds a problem: {0}', problem) : '',
    newProblems.length > 1
      ? l10n.t('It adds {0} problems. The first one is: {1}', String(newProblems.length), problem)
      : '',
  ].filter((line) => line !== '');
  return lines.length === 0
    ? l10n.t('The save removes no resources and adds no problems.')
    : lines.join('\n');
}

function formatRemoved(
  removed: SaveRisk['removed'],
  list: Intl.ListFormat,
  l10n: Localizer,
): string {
  const { shown, more } = shortList(removed.map(quoteName), MAX_NAMES);
  const names = list.format(shown);
  if (removed.length === 0) return '';
  if (removed.length === 1) return l10n.t('It removes 1 resource: {0}.', names);
  const count = String(removed.length);
  return more === 0
    ? l10n.t('It removes {0} resources: {1}.', count, names)
    : l10n.t('It removes {0} resources: {1}, and others.', count, names);
}

function formatRenamed(
  renamed: SaveRisk['renamed'],
  list: Intl.ListFormat,
  l10n: Localizer,
): string {
  const { shown, more } = shortList(
    renamed.map(({ from, to }) => `${quoteName(from)} → ${quoteName(to)}`),
    MAX_NAMES,
  );
  const names = list.format(shown);
  if (renamed.length === 0) return '';
  if (renamed.length === 1) return l10n.t('It renames 1 resource: {0}.', names);
  const count = String(renamed.length);
  return more === 0
    ? l10n.t('It renames {0} resources: {1}.', count, names)
    : l10n.t('It renames {0} resources: {1}, and others.', count, names);
}

function formatUse(partCount: number | undefined, l10n: Localizer): string {
  if (partCount === 0) return '';
  if (partCount === undefined) {
    return l10n.t('The number of parts that use this fragment is unknown.');
  }
  return partCount === 1
    ? l10n.t('1 part uses this fragment and gets the change.')
    : l10n.t('{0} parts use this fragment and get the change.', String(partCount));
}
