import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages } from '../../../src/manifest/contributions';
import manifest from '../../../package.json';

const root = join(__dirname, '../../..');

describe('languages of package.json', () => {
  const { contributes } = manifest;

  it('match the manifest module', () => {
    assert.deepEqual(
      contributes.languages.map(({ id, extensions }) => [id, extensions]),
      Object.values(languages)
        .map(({ id, extension }) => [id, [extension]])
        .toSorted(),
    );
  });

  it('have a grammar and a configuration each', () => {
    for (const { id, configuration } of contributes.languages) {
      const grammar = contributes.grammars.find(({ language }) => language === id);
      assert.ok(grammar, id);
      const { scopeName } = JSON.parse(readFileSync(join(root, grammar.path), 'utf8')) as {
        readonly scopeName: string;
      };
      assert.equal(scopeName, grammar.scopeName);
      assert.doesNotThrow(() => JSON.parse(readFileSync(join(root, configuration), 'utf8')));
    }
  });
});
