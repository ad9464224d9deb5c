import assert from 'node:assert/strict';
import { FragmentVisibility } from '../../src/gen/viam/app/v1/fragment_pb';
import { appApi, Struct } from '../publicClient/publicClient';
import {
  openPublicFleet,
  PUBLIC_PROTOCOLS,
  type PublicClient,
  type PublicFleet,
} from './publicFleet';

const OWNER_ROLE = 'owner';
/** Wire number of PACKAGE_TYPE_ML_MODEL. */
const ML_MODEL = 2;

for (const protocol of PUBLIC_PROTOCOLS) {
  describe(`the public client manages a fleet over ${protocol}`, () => {
    let fleet: PublicFleet;
    let app: PublicClient['appClient'];
    let organizationId: string;
    let keyId: string;

    before(async () => {
      fleet = await openPublicFleet(protocol);
      ({ organizationId, apiKeyId: keyId } = fleet.owner);
      app = fleet.client.appClient;
    });

    after(() => fleet.close());

    function authorization(
      role: string,
      resourceType: string,
      resourceId: string,
      identityId = '',
    ): appApi.Authorization {
      return new appApi.Authorization({
        authorizationType: 'role',
        authorizationId: `${resourceType}_${role}`,
        resourceType,
        resourceId,
        identityId,
        organizationId,
        identityType: 'api-key',
      });
    }

    it('with organizations, their settings, and metadata', async () => {
      const made = await app.createOrganization('Depot');
      assert.ok(made);
      assert.equal(await app.getOrganizationNamespaceAvailability('depot-1'), true);
      const changed = await app.updateOrganization(made.id, 'Depots', 'depot-1', 'eu', 'CRM-7');
      assert.deepEqual(
        [changed?.name, changed?.publicNamespace, changed?.defaultRegion, changed?.cid],
        ['Depots', 'depot-1', 'eu', 'CRM-7'],
      );
      assert.equal(await app.getOrganizationNamespaceAvailability('depot-1'), false);
      await app.updateOrganizationMetadata(made.id, { shift: { lead: 'Mo', size: 4 } });
      assert.deepEqual(await app.getOrganizationMetadata(made.id), {
        shift: { lead: 'Mo', size: 4 },
      });
      assert.equal((await app.listOrganizations()).length, 2);
      await app.deleteOrganization(made.id);
      await assert.rejects(app.getOrganization(made.id));
    });

    it('with members and invitations', async () => {
      const { members } = await app.listOrganizationMembers(organizationId);
      const [email = ''] = members[0]?.emails ?? [];
      const userId = await app.getUserIDByEmail(email);
      assert.equal(userId, members[0]?.userId);
      assert.equal((await app.listOrganizationsByUser(userId))[0]?.orgId, organizationId);

      const invited = 'ada@example.com';
      const owner = authorization(OWNER_ROLE, 'organization', organizationId);
      const operator = authorization('operator', 'organization', organizationId);
      const invite = await app.createOrganizationInvite(organizationId, invited, [], false);
      assert.deepEqual(
        invite?.authorizations.map(({ authorizationId }) => authorizationId),
        ['organization_owner'],
      );
      await app.updateOrganizationInviteAuthorizations(organizationId, invited, [operator], []);
      const left = await app.updateOrganizationInviteAuthorizations(
        organizationId,
        invited,
        [],
        [owner],
      );
      assert.deepEqual(
        left?.authorizations.map(({ authorizationId }) => authorizationId),
        ['organization_operator'],
      );
      const { invites } = await app.listOrganizationMembers(organizationId);
      assert.deepEqual(
        invites.map((one) => one.email),
        [invited],
      );
      await app.deleteOrganizationInvite(organizationId, invited);
      await assert.rejects(app.deleteOrganizationInvite(organizationId, invited));
      await assert.rejects(app.resendOrganizationInvite(organizationId, invited));
      await assert.rejects(app.deleteOrganizationMember(organizationId, 'nobody'));
    });

    it('with locations, their secrets, and sharing', async () => {
      const plant = await app.createLocation(organizationId, 'Plant');
      assert.ok(plant);
      const hall = await app.createLocation(organizationId, 'Hall', plant.id);
      assert.ok(hall);
      assert.equal((await app.getLocation(hall.id))?.parentLocationId, plant.id);
      assert.equal((await app.updateLocation(hall.id, 'Hall 2'))?.parentLocationId, plant.id);
      assert.equal((await app.updateLocation(hall.id, 'Hall 2', ''))?.parentLocationId, '');
      await assert.rejects(app.updateLocation(plant.id, 'Plant', plant.id));
      const auth = await app.createLocationSecret(plant.id);
      assert.equal(auth?.secrets.length, 2);
      await app.deleteLocationSecret(plant.id, auth.secrets[0]?.id ?? '');
      assert.equal((await app.locationAuth(plant.id))?.secrets.length, 1);
      const partner = await app.createOrganization('Partner');
      assert.ok(partner);
      await app.shareLocation(partner.id, plant.id);
      assert.deepEqual(
        (await app.getOrganizationsWithAccessToLocation(plant.id)).map(({ id }) => id),
        [organizationId, partner.id],
      );
      assert.deepEqual(
        (await app.listLocations(partner.id)).map(({ id }) => id),
        [plant.id],
      );
      await app.unshareLocation(partner.id, plant.id);
      assert.deepEqual(await app.listLocations(partner.id), []);
      await app.updateLocationMetadata(plant.id, { floors: 2 });
      assert.deepEqual(await app.getLocationMetadata(plant.id), { floors: 2 });
      await app.deleteLocation(plant.id);
      await assert.rejects(app.getLocation(plant.id));
    });

    it('with machines, parts, their configs, and histories', async () => {
      const location = await app.createLocation(organizationId, 'Yard');
      assert.ok(location);
      const robotId = await app.newRobot(location.id, 'rover');
      await app.updateRobot(robotId, location.id, 'rover-1');
      assert.equal((await app.getRobot(robotId))?.name, 'rover-1');
      const [main] = await app.getRobotParts(robotId);
      assert.ok(main);
      const config = Struct.fromJson({ components: [{ name: 'arm', model: 'fake' }] });
      await app.updateRobotPart(main.id, 'rover-main', config);
      const { part, configJson } = await app.getRobotPart(main.id);
      assert.equal(part?.name, 'rover-main');
      assert.deepEqual(JSON.parse(configJson), { components: [{ name: 'arm', model: 'fake' }] });
      assert.equal((await app.getRobotPartHistory(main.id)).length, 1);
      const second = await app.newRobotPart(robotId, 'mast');
      await app.markPartAsMain(second);
      const parts = await app.getRobotParts(robotId);
      assert.deepEqual(
        parts.filter((one) => one.mainPart).map(({ id }) => id),
        [second],
      );
      await assert.rejects(app.deleteRobotPart(second));
      await app.markPartForRestart(main.id);
      const withTwo = await app.createRobotPartSecret(main.id);
      assert.equal(withTwo?.secrets.length, 2);
      await assert.rejects(app.createRobotPartSecret(main.id));
      await app.deleteRobotPartSecret(main.id, withTwo.secrets[0]?.id ?? '');
      await app.updateRobotMetadata(robotId, { line: 4 });
      assert.deepEqual(await app.getRobotMetadata(robotId), { line: 4 });
      await app.updateRobotPartMetadata(main.id, { serial: 'A1' });
      assert.deepEqual(await app.getRobotPartMetadata(main.id), { serial: 'A1' });
      await app.deleteRobotPart(main.id);
      assert.equal((await app.listRobots(location.id)).length, 1);
      await app.deleteRobot(robotId);
      assert.equal((await app.listRobots(location.id)).length, 0);
    });

    it('with fragments, including those that a machine uses', async () => {
      const location = await app.createLocation(organizationId, 'Lab');
      assert.ok(location);
      const inner = await app.createFragment(organizationId, 'inner', Struct.fromJson({}));
      assert.ok(inner);
      const outer = await app.createFragment(
        organizationId,
        'outer',
        Struct.fromJson({ fragments: [inner.id] }),
      );
      assert.ok(outer);
      const robotId = await app.newRobot(location.id, 'bench');
      const [main] = await app.getRobotParts(robotId);
      assert.ok(main);
      await app.updateRobotPart(
        main.id,
        main.name,
        Struct.fromJson({ fragments: [{ id: outer.id }] }),
      );
      assert.deepEqual(
        (await app.listMachineFragments(robotId)).map(({ name }) => name),
        ['outer', 'inner'],
      );
      const [summary] = await app.listMachineSummaries(
        organizationId,
        [inner.id],
        [location.id],
        5,
      );
      assert.deepEqual(
        summary?.machineSummaries.map(({ machineId, partSummaries }) => [
          machineId,
          partSummaries.map(({ fragments }) => fragments.map(({ name }) => name)),
        ]),
        [[robotId, [['outer']]]],
      );
      assert.equal((await app.getFragment(inner.id))?.robotPartCount, 1);
      await assert.rejects(
        app.updateFragment(inner.id, 'inner', Struct.fromJson({ fragments: [outer.id] })),
      );
      assert.deepEqual(await app.listFragments(organizationId), []);
      const shown = await app.updateFragment(inner.id, 'inner', Struct.fromJson({}), true);
      assert.equal(shown?.visibility, FragmentVisibility.PUBLIC);
      assert.equal((await app.listFragments(organizationId)).length, 1);
      await app.deleteFragment(outer.id);
      await app.deleteFragment(inner.id);
    });

    it('with roles, permissions, and keys', async () => {
      const location = await app.createLocation(organizationId, 'Dock');
      assert.ok(location);
      const made = await app.createKey(
        [authorization('operator', 'location', location.id)],
        'dock key',
      );
      const identity = [made.id, 'operator', 'location', location.id] as const;
      await app.addRole(organizationId, made.id, OWNER_ROLE, 'location', location.id);
      await app.removeRole(organizationId, ...identity);
      await app.changeRole(
        authorization(OWNER_ROLE, 'location', location.id, made.id),
        authorization('operator', 'location', location.id, made.id),
      );
      const authorizations = await app.listAuthorizations(organizationId, [location.id]);
      assert.deepEqual(
        authorizations.map(({ authorizationId, identityId }) => [authorizationId, identityId]),
        [['location_operator', made.id]],
      );
      const query = new appApi.AuthorizedPermissions({
        resourceType: 'location',
        resourceId: location.id,
        permissions: ['read_location', 'write_location'],
      });
      const [granted] = await app.checkPermissions([query]);
      assert.deepEqual(granted?.permissions, ['read_location', 'write_location']);
      const rotated = await app.rotateKey(made.id);
      assert.notEqual(rotated.key, made.key);
      const copy = await app.createKeyFromExistingKeyAuthorizations(made.id);
      const listed = (await app.listKeys(organizationId)).map((one) => one.apiKey?.id);
      assert.ok(listed.includes(copy.id) && listed.includes(keyId));
      await app.deleteKey(copy.id);
      await app.deleteKey(made.id);
      await assert.rejects(app.createKey([]));
      await assert.rejects(
        app.removeRole(organizationId, keyId, 'admin', 'organization', organizationId),
      );
    });

    it('with modules and other registry items', async () => {
      const model = { api: 'rdk:component:base', model: 'acme:wheels:fast' };
      const made = await app.createModule(organizationId, 'wheels');
      const { PUBLIC } = appApi.Visibility;
      const page = await app.updateModule(
        made.moduleId,
        PUBLIC,
        'https://example.com',
        'drives',
        [new appApi.Model(model)],
        'bin/wheels',
      );
      assert.equal(page, made.url);
      const module = await app.getModule(made.moduleId);
      assert.deepEqual([module?.entrypoint, module?.models[0]?.model], ['bin/wheels', model.model]);
      assert.equal((await app.listModules(organizationId)).length, 1);
      const itemId = `${organizationId}:grasps`;
      await app.createRegistryItem(organizationId, 'grasps', ML_MODEL);
      await app.updateRegistryItem(itemId, ML_MODEL, 'where to hold', PUBLIC);
      assert.equal((await app.getRegistryItem(itemId))?.description, 'where to hold');
      const { PUBLISHED } = appApi.RegistryItemStatus;
      const items = await app.listRegistryItems(
        '',
        [ML_MODEL],
        [PUBLIC],
        [''],
        [PUBLISHED],
        'hold',
      );
      assert.deepEqual(
        items.map((item) => item.itemId),
        [itemId],
      );
      await app.deleteRegistryItem(itemId);
      await app.deleteRegistryItem(made.moduleId);
      await assert.rejects(app.getModule(made.moduleId));
      await assert.rejects(app.getAppContent('acme', 'panel'));
    });
  });
}
