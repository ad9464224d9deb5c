import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fromRoot, root } from './support/paths';
import { localizedStrings } from './support/localizedStrings';

type Texts = Readonly<Record<string, string>>;

function write(file: string, texts: Texts): void {
  writeFileSync(fromRoot(file), `${JSON.stringify(texts, undefined, 2)}\n`);
}

/**
 * Removes translations of texts that no longer exist, and lists the texts without a translation, which
 * `test/unit/manifest/localization.test.ts` rejects.
 */
function updateTranslations(pattern: string, keys: readonly string[]): void {
  for (const file of globSync(pattern, { cwd: root })) {
    const texts = JSON.parse(readFileSync(fromRoot(file), 'utf8')) as Texts;
    const translated = keys.flatMap((key) => {
      const text = texts[key];
      return text === undefined ? [] : [[key, text] as const];
    });
    write(file, Object.fromEntries(translated));
    for (const key of keys) {
      if (!(key in texts)) console.log(`${file} does not have ${JSON.stringify(key)}`);
    }
  }
}

/** Writes `l10n/bundle.l10n.json`, and updates the translations to its keys. */
const strings = localizedStrings();
write('l10n/bundle.l10n.json', Object.fromEntries(strings.map((text) => [text, text])));
updateTranslations('l10n/bundle.l10n.*.json', strings);
const manifest = JSON.parse(readFileSync(fromRoot('package.nls.json'), 'utf8')) as Texts;
updateTranslations('package.nls.*.json', Object.keys(manifest));
