import assert from 'node:assert/strict';
import { FleetError, type FleetErrorKind } from '../../../../../src/core/api/errors';
import { organizationId, registryItemId } from '../../../../../src/core/model/ids';
import { uploadBuilds } from '../../../../../src/core/modules/upload/uploadBuilds';

const item = {
  id: registryItemId('acme:weather'),
  name: 'weather',
  type: 'module' as const,
  organizationId: organizationId('acme'),
};

/** Returns true if an archive might have arrived although the upload failed with an error. */
async function mightHaveArrived(error: FleetError): Promise<boolean | undefined> {
  const unexpectedCall = (): Promise<never> => Promise.reject(new Error('no one requests this'));
  const registry = {
    get: unexpectedCall,
    package: unexpectedCall,
    updateModule: unexpectedCall,
    noticeChange: () => undefined,
    uploadModule: () => Promise.reject(error),
  };
  async function* read(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(new Uint8Array(1));
  }
  const { failed } = await uploadBuilds(
    registry,
    { item, version: '1.0.0', builds: [{ platform: 'any', read }], update: undefined },
    { signal: new AbortController().signal },
  );
  assert.equal(failed?.error, error);
  return failed.rest[0]?.wasCut;
}

describe('a build whose upload failed', () => {
  const failure = (kind: FleetErrorKind, cause?: unknown): FleetError =>
    new FleetError(kind, 'no', { cause });

  it('could be stored if the result is unknown', async () => {
    assert.equal(await mightHaveArrived(failure('unavailable')), true);
    assert.equal(await mightHaveArrived(failure('canceled')), true);
    const closed = failure('unauthenticated', failure('unavailable'));
    assert.equal(await mightHaveArrived(closed), true, 'a sign-out closes the connection');
  });

  it('is not stored if the registry or the local disk rejected it', async () => {
    assert.equal(await mightHaveArrived(failure('conflict', new Error('it is taken'))), false);
    assert.equal(await mightHaveArrived(failure('unauthenticated', new Error('expired'))), false);
    const before = failure('unauthenticated', failure('unauthenticated'));
    assert.equal(await mightHaveArrived(before), false, 'it began after a sign-out');
  });
});
