import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FleetChoice } from '../../../scripts/support/demoDataOptions';
import { findFleet } from '../../../scripts/support/findFleet';

const WRITTEN = {
  url: 'http://127.0.0.1:4000',
  apiKeyId: 'id',
  apiKey: 'key',
  organizationId: 'organization',
};
const NOTHING: FleetChoice = {
  credentialsFile: undefined,
  url: undefined,
  organization: undefined,
};

describe('findFleet', () => {
  let folder: string;
  let credentialsFile: string;

  const find = (choice: Partial<FleetChoice>, environment: NodeJS.ProcessEnv = {}) =>
    findFleet({ ...NOTHING, ...choice }, environment, () => {
      throw new Error('nothing may be built here');
    });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'find-fleet-'));
    credentialsFile = join(folder, 'credentials.json');
    await writeFile(credentialsFile, JSON.stringify(WRITTEN));
  });

  after(() => rm(folder, { recursive: true }));

  it('uses the credentials file of a service, and the options', async () => {
    const { url, key, organization } = await find({ credentialsFile });
    assert.deepEqual(
      [url, key, organization],
      [WRITTEN.url, { id: 'id', key: 'key' }, 'organization'],
    );
    const elsewhere = await find({
      credentialsFile,
      url: 'https://fleet.example',
      organization: 'B',
    });
    assert.deepEqual([elsewhere.url, elsewhere.organization], ['https://fleet.example', 'B']);
  });

  it('reads the key from the environment', async () => {
    const { url, key, organization } = await find(
      { url: 'https://fleet.example' },
      { SVC_API_KEY_ID: 'a', SVC_API_KEY: 'b' },
    );
    assert.deepEqual(
      [url, key, organization],
      ['https://fleet.example', { id: 'a', key: 'b' }, undefined],
    );
  });

  it('reports what is missing', async () => {
    await assert.rejects(
      find({ url: 'https://fleet.example' }),
      /--credentials FILE, or SVC_API_KEY_ID/,
    );
    await assert.rejects(find({ credentialsFile: join(folder, 'none.json') }), /none\.json/);
    const other = join(folder, 'other.json');
    await writeFile(other, '{"url":"http://127.0.0.1:4000"}');
    await assert.rejects(find({ credentialsFile: other }), /other\.json is not a credentials file/);
  });
});
