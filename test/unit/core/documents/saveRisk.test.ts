import assert from 'node:assert/strict';
import { inSlices } from '../../../../src/base/slices';
import { parseConfigInSteps } from '../../../../src/core/documents/resolvedText';
import { englishLocalizer } from '../../../../src/base/localizer';
import type { ConfigObject } from '../../../../src/core/fragments/configValue';
import {
  type ConfigVersion,
  findSaveRisk,
  isRisky,
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
    parsed: await inSlices(parseConfigInSteps(text)),
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

  it('treats a resource with another name and the same content as renamed', async () => {
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

  it('counts a resource as removed if another section uses its name', async () => {
    const { components, ...rest } = JSON.parse(SAVED) as { components: object[] };
    const edited = {
      ...rest,
      components: components.slice(0, 1),
      packages: [{ name: 'arm', package: 'acme/arm', version: 'latest', type: 'ml_model' }],
    };
    assert.deepEqual((await compare(() => JSON.stringify(edited))).removed, ['arm']);
  });

  it('does not count a resource that moves to a fragment as removed', async () => {
    const moved = JSON.stringify({ fragments: ['0d1e2f3a'] });
    const config = JSON.parse(SAVED) as ConfigObject;
    const options = { isFragment: false, partCount: 0, l10n: englishLocalizer };
    const [before, after] = [await toVersion(SAVED), await toVersion(moved)];
    const resolved = { config, problems: [], getName: () => undefined };
    const risk = await findSaveRisk({ ...before, resolved }, { ...after, resolved }, options);
    assert.deepEqual(risk.removed, []);
    assert.ok((await findSaveRisk(before, after, options)).removed.includes('arm'));
  });

  it('reports the problems that a save adds, but not those in the saved config', async () => {
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

  it('finds no risk in other changes, and in text that cannot be saved', async () => {
    assert.equal(isRisky(await compare((text) => text.replace(':8080', ':9090'))), false);
    assert.deepEqual((await compare(() => '{')).newProblems, []);
    assert.equal(isRisky(await compare((text) => text.replace(':8080', ':9090'), 3)), true);
  });

  it('recognizes renamed resources whose old name is also a type', async () => {
    const camera = (name: string, model: string): object => ({ name, type: 'camera', model });
    const arm = { name: 'arm', type: 'arm', depends_on: ['camera', 'left:eye'] };
    const saved = JSON.stringify({ components: [arm, camera('camera', 'a'), camera('eye', 'b')] });
    const edited = JSON.stringify({
      components: [
        { ...arm, name: 'lift', depends_on: ['cam-1', 'left:eye'] },
        camera('cam-1', 'a'),
        camera('cam-2', 'b'),
      ],
    });
    const options = { isFragment: false, partCount: 0, l10n: englishLocalizer };
    const risk = await findSaveRisk(await toVersion(saved), await toVersion(edited), options);
    assert.deepEqual(risk.removed, []);
    assert.deepEqual(risk.renamed.map(({ from, to }) => `${from} ${to}`).toSorted(), [
      'arm lift',
      'camera cam-1',
      'eye cam-2',
    ]);
  });

  it('does not mistake an attribute that equals an old name for a reference', async () => {
    const eye = { name: 'eye', type: 'sensor', attributes: { kind: 'camera' } };
    const camera = { name: 'camera', type: 'camera', model: 'a' };
    const saved = JSON.stringify({ components: [camera, eye] });
    const edited = JSON.stringify({
      components: [
        { ...camera, name: 'cam' },
        { ...eye, name: 'lens' },
      ],
    });
    const options = { isFragment: false, partCount: 0, l10n: englishLocalizer };
    const risk = await findSaveRisk(await toVersion(saved), await toVersion(edited), options);
    assert.deepEqual(risk.removed, []);
  });

  it('finds renamed resources that refer to later ones', async () => {
    const names = Array.from({ length: 15 }, (_, index) => `part-${String(index)}`);
    const toText = (suffix: string): string =>
      JSON.stringify({
        components: names.map((name, index) => ({
          name: name + suffix,
          type: 'generic',
          depends_on: names.slice(index + 1, index + 2).map((next) => next + suffix),
        })),
      });
    const options = { isFragment: false, partCount: 0, l10n: englishLocalizer };
    const risk = await findSaveRisk(
      await toVersion(toText('')),
      await toVersion(toText('-new')),
      options,
    );
    assert.deepEqual(risk.removed, []);
    assert.equal(risk.renamed.length, names.length);
  });

  it('reports the removal of a fragment that cannot be read', async () => {
    const getName = (): undefined => undefined;
    const resolved = { config: { fragments: ['0d1e2f3a'] }, problems: [], getName };
    const before = { ...(await toVersion('{"fragments":["0d1e2f3a"]}')), resolved };
    const after = { ...(await toVersion('{}')), resolved: { ...resolved, config: {} } };
    const options = { isFragment: false, partCount: 0, l10n: englishLocalizer };
    assert.deepEqual((await findSaveRisk(before, after, options)).removed, ['0d1e2f3a']);
  });

  it('reports a structure that the service rejects, but not again at another index', async () => {
    const risk = await compare((text) => text.replace('{', '{"jobs":"x",'));
    assert.deepEqual(risk.newProblems, ['"jobs" must be a list, enclosed in [ and ].']);
    const withEntry = SAVED.replace('"components":[', '"components":[5,');
    const options = { isFragment: false, partCount: 0, l10n: englishLocalizer };
    const before = await toVersion(withEntry);
    const after = await toVersion(withEntry.replace('[5,', '[{"name":"new","type":"arm"},5,'));
    const { newProblems } = await findSaveRisk(before, after, options);
    assert.deepEqual(
      newProblems.filter((message) => message.includes('must be an object')),
      [],
    );
  });

  it('considers an unknown number of parts a risk', async () => {
    const version = await toVersion(SAVED);
    const options = { isFragment: true, partCount: undefined, l10n: englishLocalizer };
    assert.equal(isRisky(await findSaveRisk(version, version, options)), true);
  });
});
