import assert from 'node:assert/strict';
import { organizationId, registryItemId } from '../../../../../../src/core/model/ids';
import type { RegistryItem } from '../../../../../../src/core/model/registryItem';
import {
  MAX_MARKDOWN_LENGTH,
  pageItem,
  versionFiles,
} from '../../../../../../src/host/features/registry/itemPage/pageItem';
import { registryItemProtocol } from '../../../../../../src/shared/registryItem';

const item: RegistryItem = {
  id: registryItemId('acme:arm'),
  organizationId: organizationId('o1'),
  namespace: 'acme',
  name: 'arm',
  type: 'module',
  visibility: 'public',
  url: 'https://acme.test/arm',
  description: ' Moves\n  arms. ',
  markdown: '# Arm',
  entrypoint: 'run',
  machinesUsing: 0,
  organizationsUsing: 0,
  deprecated: undefined,
  updatedAt: undefined,
  models: [
    {
      api: 'rdk:component:arm',
      model: 'acme:arm:six',
      description: undefined,
      markdown: undefined,
    },
  ],
  versions: [
    {
      version: '1.0.0',
      createdAt: new Date(7),
      files: [{ platform: 'linux/amd64', uploadedAt: undefined }],
    },
  ],
};
const labels = {
  badges: () => ['module'],
  facts: () => [
    { name: 'ID', value: 'acme:arm', isCode: true },
    { name: 'Apps', value: '', isCode: false },
  ],
};
const page = (change: Partial<RegistryItem> = {}, owner?: string) =>
  pageItem({ item: { ...item, ...change }, owner }, labels);

describe('a registry item for its page', () => {
  it('matches the protocol of the page', () => {
    assert.ok(
      registryItemProtocol.load.result({ item: page({}, 'Acme'), readAt: 7, isOld: false }),
    );
    assert.deepEqual(page({}, 'Acme').facts, [{ name: 'ID', value: 'acme:arm', isCode: true }]);
    assert.equal(page().description, 'Moves arms.');
  });

  it('names its owner as far as that is known', () => {
    assert.equal(page({}, 'Acme').owner, 'Acme');
    assert.equal(page().owner, 'acme');
    assert.equal(page({ namespace: '' }).owner, 'o1');
  });

  it('offers to upload the first version of a module or training script to a key that can', () => {
    const canUpload = (change: Partial<RegistryItem>, hasPermission: boolean): boolean =>
      pageItem({ item: { ...item, ...change }, owner: undefined }, labels, hasPermission).canUpload;
    assert.equal(canUpload({ versions: [] }, true), true);
    assert.equal(canUpload({ versions: [], type: 'trainingScript' }, true), true);
    assert.equal(canUpload({ versions: [], type: 'mlModel' }, true), false);
    assert.equal(canUpload({ versions: [] }, false), false);
    assert.equal(canUpload({}, true), false);
  });

  it('opens only encrypted URLs', () => {
    assert.equal(page().url, 'https://acme.test/arm');
    assert.equal(page({ url: 'http://acme.test' }).url, undefined);
    assert.equal(page({ url: 'javascript:alert(1)' }).url, undefined);
  });

  it('truncates long texts at the end of a line, and reports it', () => {
    const line = `${'a'.repeat(99)}\n`;
    const text = page({ markdown: line.repeat(10_000) }).text;
    assert.ok(text?.isCut);
    assert.equal(text.markdown.length, MAX_MARKDOWN_LENGTH - 1);
    assert.ok(text.markdown.endsWith('a'));
    assert.equal(
      page({ markdown: 'a'.repeat(1_000_000) }).text?.markdown.length,
      MAX_MARKDOWN_LENGTH,
    );
    const torn = page({ markdown: `a\n${'b'.repeat(MAX_MARKDOWN_LENGTH)}` }).text;
    assert.equal(torn?.markdown.length, MAX_MARKDOWN_LENGTH);
    assert.equal(page({ markdown: ' \n' }).text, undefined);
  });

  it('removes disguising characters from names', () => {
    const shown = page({ name: 'a\u202eb\nc', deprecated: 'x\u2066\ny' });
    assert.equal(shown.name, 'a\ufffdb\ufffdc');
    assert.equal(shown.deprecated, 'x\ufffd y');
    assert.equal(page({ description: 'x'.repeat(5_000) }).description.length, 1_000);
  });

  it('offers no changes over a read-only connection, and reports why', () => {
    const shown = pageItem({ item, owner: undefined }, labels, false, 'The reason.');
    assert.deepEqual([shown.canDeploy, shown.canUpload], [false, false]);
    assert.equal(shown.readOnly, 'The reason.');
    assert.equal('readOnly' in page(), false);
  });

  it('offers to deploy modules and models that have a version', () => {
    assert.equal(page().canDeploy, true);
    assert.equal(page({ versions: [] }).canDeploy, false);
    assert.equal(page({ type: 'mlModel' }).canDeploy, true);
    assert.equal(page({ type: 'trainingScript' }).canDeploy, false);
    assert.equal(page({ type: 'mlModel' }).models, undefined);
    assert.deepEqual([page().hasMetrics, page({ type: 'mlModel' }).hasMetrics], [false, true]);
  });

  it('groups archives by their versions, with known sizes', () => {
    const file = {
      organizationId: item.organizationId,
      name: 'arm',
      type: 'module' as const,
      url: '',
      checksum: '',
      createdOn: new Date(9),
      files: [],
      metadata: {},
    };
    const versions = versionFiles(
      [
        { ...file, version: '1', platform: 'linux/amd64', sizeBytes: 5 },
        { ...file, version: '2', platform: 'any', sizeBytes: undefined },
        { ...file, version: '1', platform: 'linux/arm64', sizeBytes: 6 },
      ],
      (bytes) => `${String(bytes)} bytes`,
    );
    assert.deepEqual(versions, [
      {
        version: '1',
        files: [
          { platform: 'linux/amd64', uploadedAt: 9, size: '5 bytes' },
          { platform: 'linux/arm64', uploadedAt: 9, size: '6 bytes' },
        ],
      },
      { version: '2', files: [{ platform: 'any', uploadedAt: 9 }] },
    ]);
    assert.ok(registryItemProtocol.readFiles.result(versions));
  });
});
