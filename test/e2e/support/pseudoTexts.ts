import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromRoot } from '../../../scripts/support/paths';
import { toPseudoText } from '../../support/pseudoTexts';

/**
 * Language of the pseudo-translation: one without a translation of the extension and a language
 * pack, whose dates contain no letters from a to z.
 */
export const pseudoLanguage = 'ko';

/**
 * Adds a pseudo-translation of all texts to the extension that is installed in a folder of VS Code,
 * in the form of a translation that the extension contains.
 */
export function addPseudoTexts(dataFolder: string): void {
  const [folder] = globSync(join(dataFolder, 'extensions', 'fleetwright.*'));
  assert.ok(folder, 'The extension is not installed.');
  for (const name of ['package.nls', join('l10n', 'bundle.l10n')]) {
    // The package has no English bundle, because the code contains the English texts.
    const english = readFileSync(fromRoot(`${name}.json`), 'utf8');
    const texts = Object.entries(JSON.parse(english) as Readonly<Record<string, string>>);
    const pseudo = Object.fromEntries(texts.map(([key, text]) => [key, toPseudoText(text)]));
    writeFileSync(join(folder, `${name}.${pseudoLanguage}.json`), JSON.stringify(pseudo));
  }
}
