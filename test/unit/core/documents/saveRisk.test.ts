import assert from 'node:assert/strict';
import { englishLocalizer } from '../../../../src/base/localizer';
import type { ConfigObject } from '../../../../src/core/fragments/configValue';
import { findSaveRisk, isRisky, type SaveRisk } from '../../../../src/core/documents/saveRisk';

const SAVED = JSON.stringify({
  components: [
    { name: 'cam', type: 'camera', model: 'fake' },
    { name: 'arm', type: 'arm', model: 'fake' },
  ],
  processes: [{ id: 'watch', name: '/usr/bin/top' }],
  fragments: ['0d1e2f3a', { id: '4b5c6d7e' }],
  network: { bind_address: ':8080' },
});

describe('findSaveRisk', () => {
  const compare = (edit: (text: string) => string, partCount = 0): SaveRisk =>
    findSaveRisk(
      { text: SAVED },
      { text: edit(SAVED) },
      { isFragment: false, partCount, l10n: englishLocalizer },
    );

  it('names the resources that a save removes or renames', () => {
    const { removed } = compare((text) =>
      text
        .replace('{"name":"arm","type":"arm","model":"fake"}', '{"name":"wrist","model":"fake"}')
        .replace('"id":"watch"', '"id":"look"')
        .replace('"0d1e2f3a",', ''),
    );
    assert.deepEqual(removed, ['arm', 'watch', '0d1e2f3a']);
  });

  it('reports a removed section, but not a reordered or extended one', () => {
    const { components, ...rest } = JSON.parse(SAVED) as { components: object[] };
    assert.deepEqual(compare(() => JSON.stringify(rest)).removed, ['cam', 'arm']);
    const reordered = { ...rest, components: [...components, { name: 'new' }].toReversed() };
    assert.deepEqual(compare(() => JSON.stringify(reordered)).removed, []);
  });

  it('does not count a resource that moves to a fragment as removed', () => {
    const moved = JSON.stringify({ fragments: ['0d1e2f3a'] });
    const config = JSON.parse(SAVED) as ConfigObject;
    const options = { isFragment: false, partCount: 0, l10n: englishLocalizer };
    const version = { text: moved, resolved: { config } };
    const risk = findSaveRisk({ text: SAVED, resolved: { config } }, version, options);
    assert.deepEqual(risk.removed, []);
    assert.ok(findSaveRisk({ text: SAVED }, { text: moved }, options).removed.includes('arm'));
  });

  it('reports the problems that a save adds, but not those that the saved config has', () => {
    const withProblem = SAVED.replace('"name":"cam"', '"name":"no name"');
    const risk = compare(() => withProblem);
    assert.equal(risk.newProblems.length, 1);
    const options = { isFragment: false, partCount: 0, l10n: englishLocalizer };
    assert.deepEqual(
      findSaveRisk({ text: withProblem }, { text: withProblem }, options).newProblems,
      [],
    );
  });

  it('finds no risk in other changes, and in text that can not be saved', () => {
    assert.equal(isRisky(compare((text) => text.replace(':8080', ':9090'))), false);
    assert.deepEqual(compare(() => '{').newProblems, []);
    assert.equal(isRisky(compare((text) => text.replace(':8080', ':9090'), 3)), true);
  });
});
