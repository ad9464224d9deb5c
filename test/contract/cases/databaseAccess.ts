import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import { MongoClient } from 'mongodb';
import { dataClientsWithRole, type Lab, newLab } from '../dataFixture';
import { assertRejected, type FleetUnderTest } from '../fleetFixture';

const PASSWORD = 'p@ss wörd/9';
const PLACEHOLDER = 'YOUR-PASSWORD-HERE';

export function databaseAccessContract(fleet: FleetUnderTest): void {
  describe('database access', () => {
    const clients: MongoClient[] = [];

    after(() => Promise.all(clients.map((client) => client.close())));

    /** Returns the server's response to a client that signs in with the given password. */
    const signIn = async ({ data, organizationId }: Lab, password: string): Promise<unknown> => {
      const { mongodbUri } = await data.getDatabaseConnection({ organizationId });
      const client = new MongoClient(
        mongodbUri.replace(PLACEHOLDER, encodeURIComponent(password)),
        { serverSelectionTimeoutMS: 5_000 },
      );
      clients.push(client);
      const status = await client.db('admin').command({ connectionStatus: 1 });
      return (status.authInfo as { authenticatedUsers: unknown }).authenticatedUsers;
    };

    it('reports where the database is, and whether it has a user', async () => {
      const { data, organizationId } = await newLab(fleet());
      const before = await data.getDatabaseConnection({ organizationId });
      assert.equal(before.hasDatabaseUser, false);
      assert.match(before.hostname, /^127\.0\.0\.1:\d+$/);
      const uri = `mongodb://db-user-${organizationId}:${PLACEHOLDER}@${before.hostname}/?ssl=false&authSource=admin`;
      // Services that share a database can be behind a load balancer.
      assert.ok([uri, `${uri}&loadBalanced=true`].includes(before.mongodbUri));
      assert.deepEqual(await data.configureDatabaseUser({ organizationId, password: PASSWORD }), {
        $typeName: 'viam.app.data.v1.ConfigureDatabaseUserResponse',
      });
      const after = await data.getDatabaseConnection({ organizationId });
      assert.equal(after.hasDatabaseUser, true);
      assert.equal(after.mongodbUri, before.mongodbUri);
    });

    it('signs in with the last password until the organization is deleted', async () => {
      const lab = await newLab(fleet());
      const { data, organizationId } = lab;
      await assert.rejects(signIn(lab, PASSWORD), /Authentication failed/);
      await data.configureDatabaseUser({ organizationId, password: PASSWORD });
      assert.deepEqual(await signIn(lab, PASSWORD), [
        { user: `db-user-${organizationId}`, db: 'admin' },
      ]);
      await data.configureDatabaseUser({ organizationId, password: 'another one' });
      await assert.rejects(signIn(lab, PASSWORD), /Authentication failed/);
      await signIn(lab, 'another one');
      const client = clients.at(-1);
      await fleet().owner.deleteOrganization({ organizationId });
      await assert.rejects(client?.db('admin').command({ ping: 1 }) ?? Promise.resolve());
    });

    it('rejects weak passwords', async () => {
      const { data, organizationId } = await newLab(fleet());
      const set = (password: string) => data.configureDatabaseUser({ organizationId, password });
      await assertRejected(set(''), Code.InvalidArgument, /^password/);
      await assertRejected(set('1234567'), Code.InvalidArgument, /^password: .*8 characters/);
      await assertRejected(set('tabs\tin it'), Code.InvalidArgument, /^password: .*can't send/);
      await assertRejected(set('x'.repeat(2000)), Code.InvalidArgument, /^password/);
      const { hasDatabaseUser } = await data.getDatabaseConnection({ organizationId });
      assert.equal(hasDatabaseUser, false);
    });

    it('is limited to the organization: readers view it, owners set the password', async () => {
      const lab = await newLab(fleet());
      const { organizationId } = lab;
      const operator = await dataClientsWithRole(fleet(), 'organization_operator', organizationId);
      await operator.data.getDatabaseConnection({ organizationId });
      await assertRejected(
        operator.data.configureDatabaseUser({ organizationId, password: PASSWORD }),
        Code.PermissionDenied,
        /configure_database_user/,
      );
      const stranger = await newLab(fleet());
      for (const call of [
        stranger.data.getDatabaseConnection({ organizationId }),
        stranger.data.configureDatabaseUser({ organizationId, password: PASSWORD }),
      ]) {
        await assertRejected(call, Code.NotFound, /^organization/);
      }
    });
  });
}
