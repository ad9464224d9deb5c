import assert from 'node:assert/strict';
import {
  addressKey,
  type DocumentAddress,
  formatAddress,
  isFolderPath,
  parseAddress,
} from '../../../../src/core/documents/documentAddress';
import {
  connectionId,
  fragmentId,
  locationId,
  machineId,
  organizationId,
  partId,
} from '../../../../src/core/model/ids';

const lab = connectionId('lab');
const part: DocumentAddress = {
  connectionId: lab,
  subject: { type: 'partConfig', id: partId('11111111-2222-3333-4444-555555555555') },
};

const addresses: DocumentAddress[] = [
  part,
  { connectionId: lab, subject: { type: 'fragmentConfig', id: fragmentId('f1') } },
  { connectionId: lab, subject: { type: 'organizationMetadata', id: organizationId('o1') } },
  { connectionId: lab, subject: { type: 'locationMetadata', id: locationId('abc123xyz') } },
  { connectionId: lab, subject: { type: 'machineMetadata', id: machineId('m1') } },
  { connectionId: lab, subject: { type: 'partMetadata', id: partId('p1') } },
];

describe('document addresses', () => {
  it('contain organization, machine, and part in the path', () => {
    assert.deepEqual(formatAddress(part, ['Acme', 'rover-07', 'main']), {
      authority: 'lab',
      path: '/parts/11111111-2222-3333-4444-555555555555/config/Acme/rover-07/main.json',
    });
  });

  it('can be parsed back, regardless of the names', () => {
    const names = ['Acme', '../..\n', '.json', 'x'.repeat(10_000), '\u202Etxt;$(id)', 'a.metadata'];
    for (const address of addresses) {
      for (let count = 1; count <= names.length; count += 1) {
        const parts = formatAddress(address, names.slice(0, count));
        assert.deepEqual(parseAddress(parts), address);
        assert.ok(parts.path.length < 500);
      }
    }
  });

  it('do not depend on names', () => {
    const renamed = parseAddress(formatAddress(part, ['Other', 'names']));
    assert.ok(renamed);
    assert.equal(addressKey(renamed), addressKey(part));
  });

  it('differ for the config and the metadata of the same part', () => {
    const keys = addresses.map(addressKey);
    assert.equal(new Set(keys).size, keys.length);
  });

  it('encode IDs that are not valid in a path', () => {
    const address: DocumentAddress = {
      connectionId: lab,
      subject: { type: 'partConfig', id: partId('../ß/%2F') },
    };
    const parts = formatAddress(address, ['main']);
    assert.match(parts.path, /^\/parts\/~[0-9a-f]+\/config\/main\.json$/);
    assert.deepEqual(parseAddress(parts), address);
  });

  it('with IDs that are malformed UTF-8 are not parsed', () => {
    for (const id of ['~ff', '~61ff', '~c3', '~eda080']) {
      const folder = { authority: 'lab', path: `/parts/${id}` };
      assert.equal(isFolderPath(folder), false, id);
      const document = { authority: 'lab', path: `/parts/${id}/config/main.json` };
      assert.equal(parseAddress(document), undefined, id);
    }
  });

  it('distinguish folders, documents, and other paths', () => {
    const { authority, path } = formatAddress(part, ['fleet.json', 'rover', 'main']);
    const segments = path.split('/');
    for (let length = 1; length < segments.length; length += 1) {
      const folder = { authority, path: segments.slice(0, length).join('/') || '/' };
      assert.equal(isFolderPath(folder), true, folder.path);
      assert.equal(parseAddress(folder), undefined, folder.path);
    }
    assert.equal(isFolderPath({ authority, path }), false);
    for (const other of ['/cats', '/parts/p1/secrets', '/parts/p1/secrets/a.json', '/parts/~zz']) {
      assert.equal(isFolderPath({ authority, path: other }), false, other);
      assert.equal(parseAddress({ authority, path: other }), undefined, other);
    }
  });
});
