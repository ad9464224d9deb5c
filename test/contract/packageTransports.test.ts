import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Code, createClient } from '@connectrpc/connect';
import { PackageType } from '../../src/gen/viam/app/packages/v1/packages_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { connectPublicClient } from '../publicClient/publicClient';
import { TestClock } from '../support/testClock';
import { waitUntil } from '../support/waitUntil';
import { capture, newLab } from './dataFixture';
import { bearerTransport, type Deployment, signInAsOwner, startHttpDeployment } from './deployment';
import { assertRejected, type Fleet } from './fleetFixture';
import { newWorkshop, uploadModule, uploadPackage } from './packageFixture';

const MEBIBYTE = 1024 * 1024;
const LARGE_BYTES = 62 * MEBIBYTE;
const TIMEOUT_MS = 120_000;

describe('archives over HTTP/2', function () {
  this.timeout(TIMEOUT_MS);
  let blobsDir: string;
  let deployment: Deployment;
  let fleet: Fleet;

  before(async () => {
    blobsDir = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    const clock = new TestClock();
    deployment = await startHttpDeployment(clock, 'gRPC', { blobsDir });
    fleet = { deployment, clock, owner: await signInAsOwner(deployment) };
  });

  after(async () => {
    await deployment.stop();
    await rm(blobsDir, { recursive: true });
  });

  const files = async (): Promise<number> => {
    const entries = await readdir(blobsDir, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).length;
  };

  it('that the client aborts leave no version and no bytes', async () => {
    const { token, moduleId } = await newWorkshop(fleet);
    const app = createClient(AppService, bearerTransport(deployment, token));
    const abort = new AbortController();
    async function* half() {
      const value = { moduleId, version: '1.0.0', platform: 'any' };
      yield { moduleFile: { case: 'moduleFileInfo' as const, value } };
      yield { moduleFile: { case: 'file' as const, value: new Uint8Array(MEBIBYTE) } };
      await waitUntil(async () => (await files()) > 0);
      abort.abort();
    }
    await assert.rejects(app.uploadModuleFile(half(), { signal: abort.signal }));
    assert.ok(abort.signal.aborted);
    await waitUntil(async () => (await files()) === 0);
    assert.deepEqual((await app.getModule({ moduleId })).module?.versions, []);
  });

  it('uploaded at the same time leave only the bytes of the accepted one', async () => {
    const workshop = await newWorkshop(fleet);
    await Promise.allSettled(
      [1, 2, 3].map((byte) => uploadModule(workshop, {}, [new Uint8Array(MEBIBYTE).fill(byte)])),
    );
    assert.equal(await files(), 1);
    await workshop.app.deleteRegistryItem({ itemId: workshop.moduleId });
    assert.equal(await files(), 0);
  });

  it('share stored bytes with captured data, and free them with the last reference', async () => {
    const workshop = await newWorkshop(fleet);
    const lab = await newLab(fleet);
    const binary = Buffer.from('the same');
    const captured = await capture(lab, 1, { binary });
    await uploadPackage(workshop, {}, [binary]);
    assert.equal(await files(), 1);
    await lab.data.deleteBinaryDataByIDs({ binaryDataIds: [captured] });
    assert.equal(await files(), 1, 'the package needs them');
    const id = `${workshop.organizationId}/learn`;
    const { package: found } = await workshop.packages.getPackage({ id, includeUrl: true });
    const headers = { authorization: `Bearer ${workshop.token}` };
    assert.equal(await (await fetch(found?.url ?? '', { headers })).text(), 'the same');
    await workshop.packages.deletePackage({ id, version: '1.0.0' });
    assert.equal(await files(), 0);
  });

  it('are deleted with the organization', async () => {
    const workshop = await newWorkshop(fleet);
    await uploadModule(workshop);
    await fleet.owner.deleteOrganization({ organizationId: workshop.organizationId });
    assert.equal(await files(), 0);
  });

  it('accept one message of 62 MiB, and reject an existing version before its bytes', async () => {
    const workshop = await newWorkshop(fleet);
    const whole = new Uint8Array(LARGE_BYTES).fill(7);
    const url = await uploadModule(workshop, {}, [whole]);
    const headers = { authorization: `Bearer ${workshop.token}` };
    const read = await (await fetch(url, { headers })).bytes();
    assert.equal(Buffer.compare(read, whole), 0);
    let sent = 0;
    async function* endless() {
      for (;;) {
        sent += 1;
        yield await Promise.resolve(new Uint8Array(MEBIBYTE));
      }
    }
    await assertRejected(uploadModule(workshop, {}, endless()), Code.AlreadyExists);
    assert.ok(sent < 64, 'the stream ends although its client would go on');
    await workshop.app.deleteRegistryItem({ itemId: workshop.moduleId });
  });

  it('are all listed even with large descriptions, and each is returned completely', async () => {
    const workshop = await newWorkshop(fleet);
    const { packages, organizationId } = workshop;
    const versions = ['1', '2', '3', '4', '5', '6'];
    const metadata = { note: 'x'.repeat(3 * MEBIBYTE) };
    for (const version of versions) {
      await uploadPackage(workshop, { version, metadata });
    }
    const { packages: listed } = await packages.listPackages({ organizationId });
    assert.deepEqual(
      listed.map(({ info }) => info?.version),
      versions,
    );
    const withMetadata = listed.filter(({ info }) => info?.metadata !== undefined);
    assert.ok(
      withMetadata.length > 0 && withMetadata.length < versions.length,
      'as much as there is room for',
    );
    const { package: last } = await packages.getPackage({ id: `${organizationId}/learn` });
    assert.deepEqual([last?.info?.version, last?.info?.metadata], ['6', metadata]);
    await fleet.owner.deleteOrganization({ organizationId });
  });

  it('are readable by the public client', async () => {
    const { organizationId, apiKeyId, apiKey } = deployment.owner;
    const { appClient: app } = await connectPublicClient(
      { url: deployment.url, apiKeyId, apiKey },
      'grpc',
    );
    const { moduleId } = await app.createModule(organizationId, 'wheels');
    await uploadModule({ app: fleet.owner, moduleId }, { platform: 'linux/arm64' });
    const [module] = await app.listModules(organizationId);
    const seen = (await app.getModule(moduleId))?.versions[0];
    assert.equal(module?.versions[0]?.version, '1.0.0');
    assert.equal(seen?.files[0]?.platform, 'linux/arm64');
    assert.ok(seen.files[0].uploadedAt);
    const types = [PackageType.MODULE];
    const found = await app.listRegistryItems(organizationId, types, [], ['linux/arm64'], []);
    assert.deepEqual(
      found.map(({ itemId }) => itemId),
      [moduleId],
    );
    await app.deleteRegistryItem(moduleId);
    assert.equal(await files(), 0);
  });
});
