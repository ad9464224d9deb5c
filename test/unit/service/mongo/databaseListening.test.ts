import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { DatabaseEndpoint } from '../../../../src/service/mongo/databaseEndpoint';
import { DatabaseFixture, PASSWORD } from './databaseFixture';

const CERTIFICATES = join(import.meta.dirname, '../../core/api/certificates');
const CERTIFICATE = join(CERTIFICATES, 'selfSigned.cert.pem');

describe('the address of the database endpoint', () => {
  let fixture: DatabaseFixture;
  let directory: string;
  let endpoint: DatabaseEndpoint;

  beforeEach(async () => {
    fixture = await DatabaseFixture.open();
    await fixture.addOrganization('acme', 300);
    directory = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    await writeFile(join(directory, 'left by a crash'), 'x');
    const { store, logger, queries, signInGuard } = fixture;
    endpoint = await DatabaseEndpoint.open({
      store,
      logger,
      queries,
      signInGuard,
      saltSecret: 'secret',
      cursorsDir: directory,
    });
  });

  afterEach(async () => {
    await endpoint.close();
    await fixture.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('is undefined before it listens', () => {
    assert.equal(endpoint.address, undefined);
    assert.equal(existsSync(join(directory, 'left by a crash')), false);
  });

  it('requires TLS with a certificate', async () => {
    const tls = {
      cert: readFileSync(CERTIFICATE, 'utf8'),
      key: readFileSync(join(CERTIFICATES, 'selfSigned.key.pem'), 'utf8'),
    };
    const { host, isEncrypted } = await endpoint.listen({ host: '127.0.0.1', port: 0, tls });
    assert.equal(isEncrypted, true);
    const connectBy = async (options: string): Promise<void> => {
      const uri = `mongodb://db-user-acme:${encodeURIComponent(PASSWORD)}@${host}/?${options}`;
      await using client = new MongoClient(uri, {
        serverSelectionTimeoutMS: 300,
        ...(options.includes('true') && { tlsCAFile: CERTIFICATE, tlsAllowInvalidHostnames: true }),
      });
      const readings = client.db('sensorData').collection('readings');
      assert.equal((await readings.find().toArray()).length, 300);
    };
    await connectBy('ssl=true&authSource=admin');
    await assert.rejects(connectBy('ssl=false&authSource=admin'));
  });

  it('has the host name that clients use', async () => {
    const listening = { host: '127.0.0.1', port: 0, publicHost: 'fleet.example.com' };
    assert.match((await endpoint.listen(listening)).host, /^fleet\.example\.com:\d+$/);
  });

  it('is undefined after it closes, with all files deleted', async () => {
    await endpoint.listen({ host: '127.0.0.1', port: 0 });
    const uri = `mongodb://db-user-acme:${encodeURIComponent(PASSWORD)}@${endpoint.address?.host ?? ''}`;
    await using client = new MongoClient(uri, { authSource: 'admin' });
    const cursor = client.db('sensorData').collection('readings').find();
    await cursor.next();
    await endpoint.close();
    assert.equal(existsSync(directory), false);
    assert.equal(endpoint.address, undefined);
    assert.equal(fixture.running, 0);
  });
});
