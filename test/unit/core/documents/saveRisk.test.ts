import assert from 'node:assert/strict';
import { englishLocalizer } from '../../../../src/base/localizer';
import type { ConfigObject } from '../../../../src/core/fragments/configValue';
import {
  type ConfigVersion,
  findSaveRisk,
  isRisky,
  parseVersion,
  type SaveRisk,
} from '../../../../src/core/documents/saveRisk';

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
  const toVersion = async (text: string): Promise<ConfigVersion> => ({
    parsed: await parseVersion(text),
  });
  const compare = async (edit: (text: string) => string, partCount = 0): Promise<SaveRisk> =>
    findSaveRisk(await toVersion(SAVED), await toVersion(edit(SAVED)), {
      isFragment: false,
      partCount,
      l10n: englishLocalizer,
    });

  it('names the resources that a save removes', async () => {
    const { removed, renamed } = await compare((text) =>
      text
        .replace('{"name":"arm","type":"arm","model":"fake"}', '{"name":"wrist","model":"fake"}')
        .replace('"id":"watch"', '"id":"look"')
        .replace('"0d1e2f3a",', ''),
    );
    assert.deepEqual(removed, ['arm', '0d1e2f3a']);
    assert.deepEqual(renamed, [{ from: 'watch', to: 'look' }]);
  });

  it('takes a resource with another name and the same content for a renamed one', async () => {
    const components = [
      { name: 'base', type: 'base', model: 'fake' },
      { name: 'lift', type: 'arm', model: 'fake', depends_on: ['base'] },
      { name: 'old-eye', type: 'camera', model: 'fake' },
    ];
    const saved = JSON.stringify({ components, fragments: ['0d1e2f3a'] });
    const edited = saved
      .replaceAll('"name":"base"', '"name":"wheels"')
      .replaceAll('["base"]', '["wheels"]')
      .replaceAll('lift', 'tower')
      .replaceAll(
        '{"name":"old-eye","type":"camera","model":"fake"}',
        '{"name":"ear","type":"sensor","model":"fake"}',
      )
      .replaceAll('0d1e2f3a', '4b5c6d7e');
    const options = { isFragment: false, partCount: 0, l10n: englishLocalizer };
    const risk = await findSaveRisk(await toVersion(saved), await toVersion(edited), options);
    assert.deepEqual(risk.renamed, [
      { from: 'base', to: 'wheels' },
      { from: 'lift', to: 'tower' },
    ]);
    assert.deepEqual(risk.removed, ['old-eye', '0d1e2f3a']);
    const renamed = saved
      .replaceAll('"base"', '"wheels"')
      .replace('"type":"wheels"', '"type":"base"');
    const harmless = await findSaveRisk(await toVersion(saved), await toVersion(renamed), options);
    assert.deepEqual(harmless.renamed, [{ from: 'base', to: 'wheels' }]);
    assert.equal(isRisky(harmless), false);
  });

  it('reports a removed section, but not a reordered or extended one', async () => {
    const { components, ...rest } = JSON.parse(SAVED) as { components: object[] };
    assert.deepEqual((await compare(() => JSON.stringify(rest))).removed, ['cam', 'arm']);
    const reordered = { ...rest, components: [...components, { name: 'new' }].toReversed() };
    assert.deepEqual((await compare(() => JSON.stringify(reordered))).removed, []);
  });

  it('does not count a resource that moves to a fragment as removed', async () => {
    const moved = JSON.stringify({ fragments: ['0d1e2f3a'] });
    const config = JSON.parse(SAVED) as ConfigObject;
    const options = { isFragment: false, partCount: 0, l10n: englishLocalizer };
    const [before, after] = [await toVersion(SAVED), await toVersion(moved)];
    const resolved = { config };
    const risk = await findSaveRisk({ ...before, resolved }, { ...after, resolved }, options);
    assert.deepEqual(risk.removed, []);
    assert.ok((await findSaveRisk(before, after, options)).removed.includes('arm'));
  });

  it('reports the problems that a save adds, but not those that the saved config has', async () => {
    const withProblem = SAVED.replace('"name":"cam"', '"name":"no name"');
    const risk = await compare(() => withProblem);
    assert.equal(risk.newProblems.length, 1);
    const options = { isFragment: false, partCount: 0, l10n: englishLocalizer };
    const version = await toVersion(withProblem);
    assert.deepEqual((await findSaveRisk(version, version, options)).newProblems, []);
  });

  it('reports a value of the wrong type that a save adds', async () => {
    const { newProblems } = await compare((text) =>
      text.replace('"network":{', '"log":[{"pattern":5,"level":"info"}],"network":{'),
    );
    assert.deepEqual(newProblems, ['"log[0].pattern" must be text in double quotes.']);
    const { newProblems: structure } = await compare((text) =>
      text.replace('"network":{', '"jobs":{},"network":{'),
    );
    assert.deepEqual(structure, ['"jobs" must be a list, enclosed in [ and ].']);
  });

  it('finds no risk in other changes, and in text that can not be saved', async () => {
    assert.equal(isRisky(await compare((text) => text.replace(':8080', ':9090'))), false);
    assert.deepEqual((await compare(() => '{')).newProblems, []);
    assert.equal(isRisky(await compare((text) => text.replace(':8080', ':9090'), 3)), true);
  });
});
