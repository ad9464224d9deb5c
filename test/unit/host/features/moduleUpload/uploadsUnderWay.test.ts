import assert from 'node:assert/strict';
import { UploadsUnderWay } from '../../../../../src/host/features/moduleUpload/uploadsUnderWay';

describe('UploadsUnderWay', () => {
  it('lets one repetition of a manifest begin at a time', () => {
    const uploads = new UploadsUnderWay();
    const first = uploads.begin('file:///one/meta.json');
    assert.ok(first);
    assert.equal(uploads.has('file:///one/meta.json'), true);
    assert.equal(uploads.begin('file:///one/meta.json'), undefined);
    assert.ok(uploads.begin('file:///other/meta.json'));
    first.dispose();
    assert.equal(uploads.has('file:///one/meta.json'), false);
    assert.ok(uploads.begin('file:///one/meta.json'));
  });
});
