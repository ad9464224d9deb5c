import { FleetError } from '../api/errors';
import { locationId, machineId, organizationId } from '../model/ids';
import {
  getRights,
  isReadOnly,
  PERMISSIONS_ON,
  type Right,
  roleNeededFor,
  withReadOnly,
} from '../model/permissions';
import type { ResourceTarget } from '../model/resourceTarget';
import { findLocationTarget, findMachineTarget } from '../stores/findMachines';
import { type AgentTool, readTool, type ToolContext } from './agentTool';
import { refreshLocations } from './toolParameters';
import { choice, flag, id, list, object, text } from './toolSchema';

const RIGHTS = [
  'administer',
  'inspect',
  'control',
  'readLogs',
  'readSecrets',
  'readData',
  'writeData',
  'train',
] as const satisfies readonly Right[];

const KINDS = ['organization', 'location', 'machine'] as const;

const checkPermissions = readTool({
  name: 'fleetwright_check_permissions',
  title: 'Check Permissions',
  description:
    'Explains what the API key of the connection can do with an organization, a location, or a machine, and which role it needs for everything else. Use it when a call fails with permission. An answer has at most 64 KiB.',
  input: object({
    kind: choice(KINDS, 'Kind of the resource.'),
    resourceId: id('ID of the resource.'),
  }),
  output: object({
    name: text(),
    isReadOnly: flag(
      'True if the connection is read-only. Nothing can then be changed through it, whatever the roles of the key are.',
    ),
    rights: list(choice(RIGHTS), 'What the key can do through the connection.'),
    permissions: list(text(), 'Permissions that the service grants.'),
    missing: list(
      object({
        right: choice(RIGHTS),
        role: choice(['owner', 'operator'], 'Role that grants the right.'),
        on: id('ID of the resource on which the role is needed, or of one that contains it.'),
      }),
      'What the key cannot do. An owner of the resource can add the role.',
    ),
  }),
  run: async ({ kind, resourceId }, context) => {
    // The roles of the key can have changed since the last call.
    context.stores.access.clear();
    const target = await findTarget(context, kind, resourceId);
    const granted = await context.stores.access.getPermissionsFor(target);
    const rights = getRights(target.kind, granted);
    // A read-only connection withholds rights that the roles of the key include.
    const allGranted = withReadOnly(granted, false);
    const ofRoles = getRights(target.kind, allGranted);
    const possible = getRights(target.kind, new Set(Object.values(PERMISSIONS_ON).flat()));
    const missing = possible.flatMap((right) => {
      if (ofRoles.includes(right)) return [];
      const role = roleNeededFor(target, right);
      return { right, role: role.name, on: role.resourceId };
    });
    return {
      data: {
        name: target.name,
        isReadOnly: isReadOnly(granted),
        rights,
        permissions: [...allGranted].sort(),
        missing,
      },
    };
  },
});

async function findTarget(
  context: ToolContext,
  kind: (typeof KINDS)[number],
  resourceId: string,
): Promise<ResourceTarget> {
  const { stores, connectionId, signal } = context;
  if (kind === 'organization') {
    const target = organizationId(resourceId);
    const { name } = await stores.organizations.get(target, { signal, fresh: true });
    return { kind, connectionId, organizationId: target, name };
  }
  await refreshLocations(context);
  const target =
    kind === 'location'
      ? await findLocationTarget(stores, connectionId, locationId(resourceId))
      : await findMachineTarget(stores, connectionId, machineId(resourceId));
  if (target) return target;
  throw new FleetError('notFound', `No organization of the connection contains the ${kind}.`);
}

export const permissionTools: readonly AgentTool[] = [checkPermissions];
