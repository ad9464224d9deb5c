import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { localizedStrings } from '../../../scripts/support/localizedStrings';

const root = join(__dirname, '../../..');

type Texts = Readonly<Record<string, string>>;

function read(file: string): Texts {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as Texts;
}

/** Placeholders, command links and icons: what a translation must keep. */
function marks(text: string): readonly string[] {
  return (text.match(/\{\d+\}|\(command:[\w.]+\)|\$\([\w-]+\)/g) ?? []).toSorted();
}

describe('localization', () => {
  it('has every text of the source in the bundle (npm run strings writes it)', () => {
    assert.deepEqual(Object.keys(read('l10n/bundle.l10n.json')), localizedStrings());
  });

  const translations = [
    ...globSync('l10n/bundle.l10n.*.json', { cwd: root }).map(
      (file) => [file, 'l10n/bundle.l10n.json'] as const,
    ),
    ...globSync('package.nls.*.json', { cwd: root }).map(
      (file) => [file, 'package.nls.json'] as const,
    ),
  ];
  for (const [file, original] of translations) {
    it(`translates every text in ${file}, with the same placeholders`, () => {
      const [texts, source] = [read(file), read(original)];
      assert.deepEqual(Object.keys(texts).toSorted(), Object.keys(source).toSorted());
      for (const [key, text] of Object.entries(texts)) {
        assert.deepEqual(marks(text), marks(source[key] ?? ''), key);
      }
    });
  }
});
