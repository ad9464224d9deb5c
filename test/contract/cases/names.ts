import { Code } from '@connectrpc/connect';
import assert from 'node:assert/strict';
import { DataType } from '../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { type Lab, newLab } from '../dataFixture';
import type { AppClient } from '../deployment';
import { assertRejected, type FleetUnderTest } from '../fleetFixture';
import { role } from '../permissions/permissionRequests';

const UNSAFE: readonly (readonly [character: string, name: string])[] = [
  ['U+0000', 'a\0b'],
  ['U+0009', 'a\tb'],
  ['U+000A', 'a\nb'],
  ['U+000D', 'a\r\nBcc: b'],
  ['U+001B', 'a\u001b[31mb'],
  ['U+007F', 'a\u007fb'],
  ['U+009B', 'a\u009b31mb'],
  ['U+061C', 'a\u061cb'],
  ['U+200E', 'a\u200eb'],
  ['U+200F', 'a\u200fb'],
  ['U+2028', 'a\u2028b'],
  ['U+2029', 'a\u2029b'],
  ['U+202A', 'a\u202ab'],
  ['U+202E', 'a\u202egpj.exe'],
  ['U+2066', 'a\u2066b'],
  ['U+2069', 'a\u2069b'],
];

const NAMES = ['مصنع الروبوتات', 'אולם 3', '工場', 'खेत', 'Größe & Café', '👩‍🔧 arm', 'نمی‌خواهم'];

/** Returns all ways to name a resource, by the field that the error refers to. */
function writes(owner: AppClient, lab: Lab): Record<string, (name: string) => Promise<unknown>> {
  const { organizationId, locationId, machineId, part, data, sync, datasets } = lab;
  const upload = (captured: object) =>
    sync.dataCaptureUpload({
      metadata: { partId: part.id, type: DataType.BINARY_SENSOR, ...captured },
      sensorContents: [{ data: { case: 'binary', value: Buffer.from('pixels') } }],
    });
  return {
    'a new organization': (name) => owner.createOrganization({ name }),
    'an organization': (name) => owner.updateOrganization({ organizationId, name }),
    'a new location': (name) => owner.createLocation({ organizationId, name }),
    'a location': (name) => owner.updateLocation({ locationId, name }),
    'a new machine': (name) => owner.newRobot({ name, location: locationId }),
    'a machine': (name) => owner.updateRobot({ id: machineId, name, location: locationId }),
    'a new part': (partName) => owner.newRobotPart({ robotId: machineId, partName }),
    'a part': (name) => owner.updateRobotPart({ id: part.id, name }),
    'a new fragment': (name) => owner.createFragment({ organizationId, name }),
    'a fragment': async (name) => {
      const { fragment } = await owner.createFragment({ organizationId, name: 'base' });
      return owner.updateFragment({ id: fragment?.id ?? '', name });
    },
    'a key': (name) =>
      owner.createKey({ name, authorizations: [role('organization_owner', organizationId)] }),
    'a new dataset': (name) => datasets.createDataset({ organizationId, name }),
    'a dataset': async (name) => {
      const { id } = await datasets.createDataset({ organizationId, name: 'cups' });
      return datasets.renameDataset({ id, name });
    },
    'a captured component': (componentName) => upload({ componentName }),
    'a captured component type': (componentType) => upload({ componentType }),
    'a captured method': (methodName) => upload({ methodName }),
    'a label of a box': async (label) => {
      const { binaryDataId } = await upload({});
      return data.addBoundingBoxToImageByID({
        binaryDataId,
        label,
        xMaxNormalized: 1,
        yMaxNormalized: 1,
      });
    },
  };
}

const INVISIBLE = [' \u00a0 ', '\u200b', '\u200d\u2060', '\u3164', '\u2800', '\ufe0f', '\u{e0020}'];

export function nameContract(fleet: FleetUnderTest): void {
  describe('names', () => {
    it('with control characters or text direction marks are rejected everywhere', async () => {
      const lab = await newLab(fleet());
      for (const [what, write] of Object.entries(writes(fleet().owner, lab))) {
        for (const [character, name] of UNSAFE) {
          const message = new RegExp(
            `must not contain the character U\\+${character.slice(2)}: remove it`,
          );
          await assertRejected(write(name), Code.InvalidArgument, message).catch(
            (error: unknown) => {
              throw new Error(`${what}, ${character}`, { cause: error });
            },
          );
        }
      }
    });

    it('without a visible character are rejected everywhere', async () => {
      const lab = await newLab(fleet());
      for (const [what, write] of Object.entries(writes(fleet().owner, lab))) {
        for (const name of INVISIBLE) {
          await assertRejected(write(name), Code.InvalidArgument, /must /).catch(
            (error: unknown) => {
              throw new Error(`${what}, ${JSON.stringify(name)}`, { cause: error });
            },
          );
        }
      }
    });

    it('accept any script, emoji, and joiners', async () => {
      const lab = await newLab(fleet());
      for (const [what, write] of Object.entries(writes(fleet().owner, lab))) {
        for (const name of NAMES) await assert.doesNotReject(write(name), `${what}, ${name}`);
      }
      const { organization } = await fleet().owner.getOrganization({
        organizationId: lab.organizationId,
      });
      assert.equal(organization?.name, NAMES.at(-1));
    });

    it('of modules are rejected with the character in the message', async () => {
      const { organizationId } = await newLab(fleet());
      await assertRejected(
        fleet().owner.createModule({ organizationId, name: 'a\u202eb' }),
        Code.InvalidArgument,
        /^name: must not contain the character U\+202E: remove it/,
      );
    });
  });
}
