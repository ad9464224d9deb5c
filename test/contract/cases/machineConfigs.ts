import assert from 'node:assert/strict';
import type { JsonObject } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { CredentialsType } from '../../../src/gen/viam/app/v1/robot_pb';
import { Visibility } from '../../../src/gen/viam/app/v1/registry_pb';
import { connectPart } from '../deployment';
import {
  assertRejected,
  type FleetUnderTest,
  newMachine,
  type NewMachine,
  newOrganization,
} from '../fleetFixture';
import { newWorkshop, uploadModule } from '../packageFixture';

export function machineConfigContract(fleet: FleetUnderTest): void {
  describe('configs of machines', () => {
    const connectSoftware = ({ part }: NewMachine) => connectPart(fleet().deployment, part);

    const write = async ({ part }: NewMachine, config: JsonObject): Promise<void> => {
      await fleet().owner.updateRobotPart({
        id: part.id,
        name: part.name,
        robotConfigJson: JSON.stringify(config),
      });
    };

    it('have their fragments resolved, and contain the identity of the machine', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const machine = await newMachine(owner, organizationId);
      const { fragment } = await owner.createFragment({
        name: 'camera',
        organizationId,
        config: {
          components: [{ name: 'cam', api: 'rdk:component:camera', model: 'rdk:builtin:fake' }],
        },
      });
      await write(machine, {
        fragments: [{ id: fragment?.id ?? '', prefix: 'left' }],
        services: [{ name: 'move', type: 'motion', namespace: 'rdk', model: 'builtin' }],
        modules: [{ name: 'own', type: 'local', executable_path: '/opt/own' }],
        processes: [{ id: 'watch', name: 'top', stop_timeout: '1m30s', one_shot: true }],
      });
      const { id } = machine.part;
      const { config } = await (await connectSoftware(machine)).config({ id });
      assert.deepEqual(
        config?.components.map(({ name, api, namespace, type }) => [name, api, namespace, type]),
        [['left-cam', 'rdk:component:camera', 'rdk', 'camera']],
      );
      assert.equal(config.services[0]?.api, 'rdk:service:motion');
      assert.equal(config.modules[0]?.path, '/opt/own');
      assert.equal(config.processes[0]?.stopTimeout?.seconds, 90n);
      assert.deepEqual(
        [config.cloud?.id, config.cloud?.machineId, config.cloud?.primaryOrgId],
        [id, machine.machineId, organizationId],
      );
      assert.equal(config.cloud?.secret, machine.part.secrets[0]?.secret);
      assert.ok((await owner.getRobotPart({ id })).part?.lastAccess);
    });

    it('include frames and dependencies of resources', async () => {
      const { owner } = fleet();
      const machine = await newMachine(owner, (await newOrganization(owner)).id);
      await write(machine, {
        components: [
          {
            name: 'arm',
            api: 'rdk:component:arm',
            model: 'acme:arms:six',
            depends_on: ['bus'],
            attributes: { speed: 1.5, limits: [1, 2] },
            frame: {
              parent: 'world',
              translation: { x: 1, y: 2, z: 3 },
              orientation: { type: 'ov_degrees', value: { x: 0, y: 0, z: 1, th: 90 } },
              geometry: { type: 'box', x: 10, y: 20, z: 30, label: 'base' },
            },
          },
        ],
      });
      const { id } = machine.part;
      const { config } = await (await connectSoftware(machine)).config({ id });
      const [arm] = config?.components ?? [];
      assert.deepEqual(
        [arm?.dependsOn, arm?.attributes],
        [['bus'], { speed: 1.5, limits: [1, 2] }],
      );
      const { parent, translation, orientation, geometry } = arm?.frame ?? {};
      assert.deepEqual([parent, translation?.z], ['world', 3]);
      assert.equal(orientation?.type.case, 'vectorDegrees');
      assert.equal(orientation.type.value.theta, 90);
      assert.equal(geometry?.geometryType.case, 'box');
      assert.deepEqual([geometry.label, geometry.geometryType.value.dimsMm?.y], ['base', 20]);
    });

    it('name the packages of their modules with resolved versions', async () => {
      const workshop = await newWorkshop(fleet());
      const { app, moduleId, organizationId } = workshop;
      await app.updateModule({
        moduleId,
        entrypoint: 'bin/wheels',
        visibility: Visibility.PRIVATE,
      });
      for (const version of ['1.0.0', '1.2.0', '2.0.0', '2.1.0-rc.1']) {
        await uploadModule(workshop, { version });
      }
      const { owner } = fleet();
      const machine = await newMachine(owner, organizationId);
      const module = (name: string, version: string) => ({
        name,
        type: 'registry',
        module_id: moduleId,
        ...(version !== '' && { version }),
      });
      await write(machine, {
        modules: [
          module('exact', '1.0.0'),
          module('ranged', '^1'),
          module('newest', 'latest'),
          module('early', 'latest-with-prerelease'),
          module('open', ''),
          module('lost', '3.0.0'),
          { name: 'own', type: 'local', executable_path: '/opt/own' },
        ],
        packages: [{ name: 'map', package: 'acme/map', version: '1', type: 'slam_map' }],
      });
      const { id } = machine.part;
      const { config } = await (await connectSoftware(machine)).config({ id });
      assert.deepEqual(
        config?.packages.map((one) => [one.name, one.package, one.version, one.type]),
        [
          ['map', 'acme/map', '1', 'slam_map'],
          ...[
            ['exact', '1.0.0'],
            ['ranged', '1.2.0'],
            ['newest', '2.0.0'],
            ['early', '2.1.0-rc.1'],
            ['open', '2.0.0'],
          ].map(([name, version]) => [name, `${organizationId}/wheels`, version, 'module']),
        ],
      );
      const paths = new Map(config.modules.map(({ name, path }) => [name, path]));
      assert.equal(paths.get('exact'), '${packages.module.exact}/bin/wheels');
      assert.equal(paths.get('own'), '/opt/own');
      const lost = config.modules.find(({ name }) => name === 'lost');
      assert.match(lost?.status?.error ?? '', /has no version 3\.0\.0/);
    });

    it('stay on the previous version until the archive for their platform exists', async () => {
      const workshop = await newWorkshop(fleet());
      const { app, moduleId, organizationId } = workshop;
      await app.updateModule({
        moduleId,
        entrypoint: 'bin/wheels',
        visibility: Visibility.PRIVATE,
      });
      await uploadModule(workshop, { version: '1.0.0', platform: 'linux/amd64' });
      await uploadModule(workshop, { version: '1.0.0', platform: 'linux/arm64' });
      await uploadModule(workshop, { version: '1.1.0', platform: 'linux/amd64' });
      const machine = await newMachine(fleet().owner, organizationId);
      await write(machine, {
        modules: [{ name: 'w', type: 'registry', module_id: moduleId, version: 'latest' }],
      });
      const { id } = machine.part;
      const software = await connectSoftware(machine);
      const versionOn = async (platform?: string): Promise<string | undefined> => {
        const { config } = await software.config({
          id,
          ...(platform !== undefined && { agentInfo: { platform } }),
        });
        return config?.packages[0]?.version;
      };
      assert.equal(await versionOn('linux/amd64'), '1.1.0');
      assert.equal(await versionOn('linux/arm64'), '1.0.0');
      assert.equal(await versionOn(), '1.1.0', 'it does not report its platform');
      assert.equal(await versionOn('darwin/arm64'), '1.1.0', 'no version has an archive for it');
      await uploadModule(workshop, { version: '1.1.0', platform: 'any' });
      assert.equal(await versionOn('linux/arm64'), '1.1.0');
    });

    it('explain why the machine cannot use a module', async () => {
      const workshop = await newWorkshop(fleet());
      await uploadModule(workshop);
      const { owner } = fleet();
      const { id: own } = await newOrganization(owner);
      const machine = await newMachine(owner, own);
      // All characters except the last one match the owner, and the whole string matches the name.
      const together = `${own}x`;
      await owner.createModule({ organizationId: own, name: together });
      const { moduleId } = workshop;
      await write(machine, {
        modules: [
          { name: 'private', type: 'registry', module_id: moduleId, version: '1.0.0' },
          { name: 'none', type: 'registry', module_id: 'nobody:nothing' },
          { name: 'nameless', type: 'registry' },
          { name: 'together', type: 'registry', module_id: together },
        ],
      });
      const { id } = machine.part;
      const { config } = await (await connectSoftware(machine)).config({ id });
      assert.equal(config?.packages.length, 0);
      for (const { name, status } of config.modules) {
        assert.match(status?.error ?? '', /there is no module .* that this machine can use/, name);
      }
    });

    it('preserve the rest of an entry with a value of a wrong type', async () => {
      const { owner } = fleet();
      const machine = await newMachine(owner, (await newOrganization(owner)).id);
      await write(machine, {
        components: [{ name: 'odd', type: 'sensor', model: 'fake', depends_on: 'bus', more: 1 }],
      });
      const { id } = machine.part;
      const { config } = await (await connectSoftware(machine)).config({ id });
      const [odd] = config?.components ?? [];
      assert.deepEqual([odd?.name, odd?.model, odd?.dependsOn], ['odd', 'fake', []]);
    });

    it('treat the name of a property of `Object.prototype` like any unknown value', async () => {
      const { owner } = fleet();
      const machine = await newMachine(owner, (await newOrganization(owner)).id);
      const handlers = [{ type: 'api-key' }, { type: 'constructor' }];
      const orientation = { type: 'toString', value: { x: 1 } };
      await write(machine, {
        components: [{ name: 'odd', type: 'arm', frame: { parent: 'world', orientation } }],
        auth: { handlers },
      });
      const { id } = machine.part;
      const { config } = await (await connectSoftware(machine)).config({ id });
      assert.deepEqual(
        config?.auth?.handlers.map(({ type }) => CredentialsType[type]),
        ['API_KEY', 'UNSPECIFIED'],
      );
      const { frame } = config.components[0] ?? {};
      assert.equal(frame?.orientation?.type.case, 'noOrientation');
    });

    it('are served only to the part itself, and certificates to no one', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const machine = await newMachine(owner, organizationId);
      const other = await newMachine(owner, organizationId);
      const software = await connectSoftware(machine);
      await assertRejected(software.config({ id: other.part.id }), Code.PermissionDenied);
      await assertRejected(
        software.certificate({ id: machine.part.id }),
        Code.Unimplemented,
        /doesn't provide certificates/,
      );
    });
  });
}
