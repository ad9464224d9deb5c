import './englishVscode';
import { selectTranslations } from '../../../src/host/platform/webview/pageTranslations';
import type { Translations } from '../../../src/shared/translations';
import { l10n } from './vscodeTexts';

/**
 * Returns the translations that the host would add to a page: none, unless the test uses
 * pseudo-translations.
 * @param files the files of the page's app
 */
export function testTranslations(
  files: ReadonlyMap<string, string>,
  app: string,
): Translations | undefined {
  if (!l10n.bundle) return undefined;
  const strings = JSON.parse(files.get(`/${app}.strings.json`) ?? '') as readonly string[];
  return selectTranslations(strings, l10n.bundle);
}
