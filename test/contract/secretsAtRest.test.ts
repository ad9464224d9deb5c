import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { backUpFleet } from '../../src/service/backup/backUpFleet';
import { MachineSecrets, newSecretsKey, SecretCipher } from '../../src/service/store/secrets';
import {
  memorySecretsKey,
  SecretsKeyError,
  type SecretsKeys,
} from '../../src/service/secrets/secretsKeySource';
import { unlockSecrets } from '../../src/service/secrets/unlockSecrets';
import { newSecret } from '../../src/service/store/identifiers';
import { insertLocation } from '../../src/service/store/locations';
import { openPostgresStore, openSqliteStore } from '../../src/service/store/openStore';
import { insertOrganization } from '../../src/service/store/organizations';
import { encryptedSettingOrNew, putSetting } from '../../src/service/store/settings';
import type { Store } from '../../src/service/store/store';
import { postgresForTests, type TestPostgres } from '../support/postgres';
import { silentLogger } from '../support/silentLogger';

const TIMEOUT_MS = 300_000;
/** Number of secrets that doesn't fit into one encryption batch. */
const SECRETS = 603;
const ROTATED = 201;
const LOCATION = 'hall';

interface StoreTarget {
  /** Fleet to back up. */
  source: { dataDirectory: string; databaseUrl: string | undefined };
  open(): Promise<Store>;
  /** Returns the whole contents of the store's disk, as far as a test can read it. */
  readDisk(): Promise<string>;
}

const createKeySource = (...keys: SecretsKeys) => ({
  description: 'the test',
  read: () => Promise.resolve(keys),
  create: () => Promise.reject(new Error('there is a key already')),
});

describe('secrets at rest', function () {
  this.timeout(TIMEOUT_MS);
  let postgres: TestPostgres;
  let folder: string;

  before(async () => {
    postgres = await postgresForTests();
    folder = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
  });
  after(async () => {
    await postgres.stop();
    await rm(folder, { recursive: true });
  });

  const storeTargets: Record<string, () => Promise<StoreTarget>> = {
    SQLite: async () => {
      const dataDirectory = await mkdtemp(join(folder, 'data-'));
      const path = join(dataDirectory, 'fleet.db');
      const readIfPresent = (file: string): Promise<string> =>
        readFile(file, 'latin1').catch(() => '');
      return {
        source: { dataDirectory, databaseUrl: undefined },
        open: () => openSqliteStore(path),
        readDisk: async () => (await readIfPresent(path)) + (await readIfPresent(`${path}-wal`)),
      };
    },
    PostgreSQL: async () => {
      const url = await postgres.url();
      const open = (): Promise<Store> => openPostgresStore(url, silentLogger);
      const readDisk = async (): Promise<string> => {
        const store = await open();
        const secrets = await store.selectFrom('secrets').selectAll().execute();
        const settings = await store.selectFrom('service_settings').selectAll().execute();
        await store.destroy();
        return JSON.stringify([secrets, settings]);
      };
      const source = { dataDirectory: await mkdtemp(join(folder, 'data-')), databaseUrl: url };
      return { source, open, readDisk };
    },
  };

  /** Opens a store in the state in which the previous version left it, with plaintext secrets. */
  async function openOlder(target: StoreTarget): Promise<string[]> {
    const store = await target.open();
    await insertOrganization(store, { id: 'acme', name: 'Acme', createdAt: 1 });
    await insertLocation(store, {
      id: LOCATION,
      organizationId: 'acme',
      parentId: null,
      name: 'Hall',
      region: '',
      createdAt: 1,
    });
    const secrets = Array.from({ length: SECRETS }, newSecret);
    await sql`alter table secrets rename column encrypted_secret to secret`.execute(store);
    await store.transaction().execute(async (transaction) => {
      for (const [index, secret] of secrets.entries()) {
        await sql`insert into secrets (id, location_id, secret, created_at)
          values (${randomUUID()}, ${LOCATION}, ${secret}, ${index})`.execute(transaction);
      }
    });
    await putSetting(store, 'token_signing_key', 'a signing key in clear');
    // The later migrations run again, too.
    await sql`drop table config_reports`.execute(store);
    await sql`drop table fetched_fragments`.execute(store);
    for (const column of ['generation', 'unreferenced_at', 'collected_at']) {
      await sql`alter table blobs drop column ${sql.ref(column)}`.execute(store);
    }
    await sql`drop table lake_leases`.execute(store);
    await sql`drop index lake_files_by_blob`.execute(store);
    await sql`alter table lake_files drop column blob_hash`.execute(store);
    await sql`alter table lake_progress drop column removed_through`.execute(store);
    await sql`alter table lake_files drop column through_id`.execute(store);
    await sql`drop index if exists log_lines_by_position`.execute(store);
    await sql`delete from kysely_migration where name >= '0014-encryptedSecrets'`.execute(store);
    await store.destroy();
    return secrets;
  }

  async function readSecrets(store: Store, cipher: SecretCipher): Promise<string[]> {
    const lists = await new MachineSecrets(cipher).listByOwner(store, 'location', [LOCATION]);
    return (lists.get(LOCATION) ?? []).map(({ secret }) => secret);
  }

  async function withStore(
    target: StoreTarget,
    work: (store: Store) => Promise<void>,
  ): Promise<void> {
    const store = await target.open();
    try {
      await work(store);
    } finally {
      await store.destroy();
    }
  }

  for (const [name, newPlace] of Object.entries(storeTargets)) {
    it(`stored as plain text in ${name} are encrypted at the first start, without a trace`, async () => {
      const target = await newPlace();
      const secrets = await openOlder(target);
      assert.ok((await target.readDisk()).includes(secrets[7] ?? '-'));
      const keys: SecretsKeys = [newSecretsKey()];
      await withStore(target, async (store) => {
        const cipher = await unlockSecrets(store, createKeySource(...keys));
        assert.deepEqual(await readSecrets(store, cipher), secrets);
        const signingKey = await encryptedSettingOrNew(
          store,
          cipher,
          'token_signing_key',
          newSecret,
        );
        assert.equal(signingKey, 'a signing key in clear');
      });
      const disk = await target.readDisk();
      assert.equal(secrets.filter((secret) => disk.includes(secret)).length, 0);
      assert.ok(!disk.includes('a signing key in clear'));
      assert.ok(!disk.includes(Buffer.from(keys[0]).toString('base64')));
    });

    it(`stored as plain text in ${name} are not backed up, and the error explains how to encrypt them`, async () => {
      const target = await newPlace();
      await openOlder(target);
      const targets = await mkdtemp(join(folder, 'backups-'));
      const options = { ...target.source, secretsKey: undefined, logger: silentLogger };
      const backUp = (): Promise<unknown> =>
        backUpFleet({ ...options, target: join(targets, 'one') });
      // Try first with the schema of the previous version, then with the current schema.
      await assert.rejects(backUp(), {
        name: 'CommandError',
        message: /unencrypted.*start the service|run the version that serves the fleet/,
      });
      await withStore(target, async (store) => {
        await assert.rejects(backUp(), {
          name: 'CommandError',
          message: /unencrypted secrets.*start the service .*which encrypts them.*back up again/,
        });
        assert.deepEqual(await readdir(targets), []);
        await unlockSecrets(store, memorySecretsKey());
        await backUp();
        assert.deepEqual(await readdir(targets), ['one']);
      });
    });

    it(`in ${name} are usable with a new key after each step of a rotation`, async () => {
      const target = await newPlace();
      const secrets = await openOlder(target);
      const [older, newer] = [newSecretsKey(), newSecretsKey()];
      await withStore(target, async (store) => {
        await unlockSecrets(store, createKeySource(older));
        // Some of the rows were rewritten when the rotation was killed.
        const half = new SecretCipher([newer, older]);
        const rows = await store.selectFrom('secrets').selectAll().limit(ROTATED).execute();
        await store.transaction().execute(async (transaction) => {
          for (const row of rows) {
            const owner = `secrets/${row.id}/location/${LOCATION}`;
            const secret = half.decrypt(row.encrypted_secret, owner);
            await transaction
              .updateTable('secrets')
              .set({ encrypted_secret: half.encrypt(secret, owner) })
              .where('id', '=', row.id)
              .execute();
          }
        });
        await unlockSecrets(store, createKeySource(newer, older));
        const cipher = await unlockSecrets(store, createKeySource(newer));
        assert.deepEqual(await readSecrets(store, cipher), secrets);
        await assert.rejects(unlockSecrets(store, createKeySource(older)), SecretsKeyError);
      });
    });

    it(`in ${name} require their key, and errors distinguish a missing from a wrong key`, async () => {
      const target = await newPlace();
      await withStore(target, async (store) => {
        const { keyId } = await unlockSecrets(store, memorySecretsKey());
        const missing = { ...memorySecretsKey(), read: () => Promise.resolve(undefined) };
        await assert.rejects(
          unlockSecrets(store, missing),
          new RegExp(`encrypted with the key ${keyId}, and memory doesn't exist`),
        );
        await assert.rejects(
          unlockSecrets(store, memorySecretsKey()),
          new RegExp(`encrypted with the key ${keyId}, and memory has the key [0-9a-f]{16}`),
        );
      });
    });

    it(`in ${name} have one key after several concurrent first starts`, async () => {
      const target = await newPlace();
      await withStore(target, async (store) => {
        const starts = await Promise.allSettled(
          Array.from({ length: 4 }, () => unlockSecrets(store, memorySecretsKey())),
        );
        assert.equal(starts.filter(({ status }) => status === 'fulfilled').length, 1);
      });
    });
  }
});
