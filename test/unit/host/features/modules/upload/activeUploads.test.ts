import assert from 'node:assert/strict';
import { ActiveUploads } from '../../../../../../src/host/features/modules/upload/uploadTools';

describe('ActiveUploads', () => {
  it('allows one repeated upload of a manifest at a time', () => {
    const uploads = new ActiveUploads();
    const first = uploads.begin('file:///one/meta.json');
    assert.ok(first);
    assert.equal(uploads.has('file:///one/meta.json'), true);
    assert.equal(uploads.begin('file:///one/meta.json'), undefined);
    assert.ok(uploads.begin('file:///other/meta.json'));
    first.dispose();
    assert.equal(uploads.has('file:///one/meta.json'), false);
    assert.ok(uploads.begin('file:///one/meta.json'));
  });

  it('includes uploads that are not repetitions while they run', async () => {
    const uploads = new ActiveUploads();
    const manifest = 'file:///one/meta.json';
    const isOver = uploads.during(manifest, () => {
      assert.equal(uploads.begin(manifest), undefined);
      return Promise.resolve(7);
    });
    assert.equal(uploads.has(manifest), true);
    assert.equal(await isOver, 7);
    assert.equal(uploads.has(manifest), false);
    await assert.rejects(
      uploads.during(manifest, () => Promise.reject(new Error('cut'))),
      /cut/,
    );
    assert.equal(uploads.has(manifest), false);
  });

  it('retains an earlier upload of the manifest when another one finishes', async () => {
    const uploads = new ActiveUploads();
    const begun = uploads.begin('file:///one/meta.json');
    await uploads.during('file:///one/meta.json', () => Promise.resolve());
    assert.equal(uploads.has('file:///one/meta.json'), true);
    begun?.dispose();
    assert.equal(uploads.has('file:///one/meta.json'), false);
  });
});
