import * as vscode from 'vscode';
import { type Role, ROLE_NAMES, type RoleName, sameRole } from '../../../core/model/access';
import type { Location } from '../../../core/model/entities';
import { machineId, type OrganizationId } from '../../../core/model/ids';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { pickStep } from '../../platform/prompts/promptSteps';
import { formatRole, roleMeaning, roleTitle } from '../../platform/permissions/formatRole';
import {
  createScopeItem,
  createScopeItems,
  machineLocationItems,
  type NamedScope,
} from './roleScopes';
import { escapeIcons, iconLabel } from '../../platform/text/displayText';

export interface PickRoleOptions {
  readonly stores: FleetStores;
  readonly organization: { readonly id: OrganizationId; readonly name: string };
  readonly title: string;
  /** Role that is preselected, so that pressing Enter selects it. */
  readonly preset?: Role | undefined;
  /** Roles that are not offered, because the holder already has them. */
  readonly except?: readonly Role[];
  /** Resource for the role; absent to prompt for it. */
  readonly scope?: NamedScope;
  /** True to show a back button in the first step. */
  readonly back?: boolean;
}

/** Role with its display text. */
interface PickedRole {
  readonly role: Role;
  readonly text: string;
}

/**
 * Prompts for a role and its resource. Returns undefined if the user goes back from the first step;
 * throws `canceled` if the user dismisses the prompt.
 */
export async function pickRole(options: PickRoleOptions): Promise<PickedRole | undefined> {
  let name = options.preset?.name;
  for (;;) {
    name = await pickName(options, name);
    if (name === undefined) return undefined;
    const scope = options.scope ?? (await pickScope(options, name));
    if (scope === undefined) continue;
    const { resourceType, resourceId } = scope;
    const role = { name, resourceType, resourceId };
    return { role, text: formatRole(role, scope.name) };
  }
}

async function pickName(
  { title, back = false }: PickRoleOptions,
  active: RoleName | undefined,
): Promise<RoleName | undefined> {
  const items = ROLE_NAMES.map((name) => ({
    label: roleTitle(name),
    detail: roleMeaning(name),
    name,
  }));
  // If there is no preset, the less powerful role is preselected.
  const answer = await pickStep(items, {
    title,
    placeholder: vscode.l10n.t('Select the role'),
    back,
    active: (item) => item.name === (active ?? 'operator'),
  });
  return answer.back ? undefined : answer.item.name;
}

async function pickScope(
  options: PickRoleOptions,
  name: RoleName,
): Promise<NamedScope | undefined> {
  const { organization, preset, title } = options;
  const free = isFree(options, name);
  const items = async () => {
    const [locations, machine] = await Promise.all([ownLocations(options), presetMachine(options)]);
    return createScopeItems({ organization, locations, machine }).filter(
      ({ scope }) => scope === undefined || free(scope),
    );
  };
  for (;;) {
    const answer = await pickStep(items(), {
      title,
      placeholder: vscode.l10n.t('Select the resource for the {0} role', roleTitle(name)),
      back: true,
      active: ({ scope }) => preset !== undefined && scope?.resourceId === preset.resourceId,
    });
    if (answer.back) return undefined;
    const scope = answer.item.scope ?? (await pickMachine(options, name));
    if (scope) return scope;
  }
}

async function pickMachine(
  options: PickRoleOptions,
  name: RoleName,
): Promise<NamedScope | undefined> {
  const { stores, title } = options;
  const free = isFree(options, name);
  for (;;) {
    const where = await pickStep(ownLocations(options).then(machineLocationItems), {
      title,
      placeholder: vscode.l10n.t('Which location contains the machine?'),
      back: true,
    });
    if (where.back) return undefined;
    const { location } = where.item;
    const machines = stores.machines.list(location.id).then((list) =>
      list
        .map((machine) =>
          createScopeItem('vm', '', {
            resourceType: 'robot',
            resourceId: machine.id,
            name: machine.name,
          }),
        )
        .filter(({ scope }) => scope && free(scope)),
    );
    const answer = await pickStep(machines, {
      title,
      placeholder: vscode.l10n.t(
        'Select a machine in "{1}" for the {0} role',
        roleTitle(name),
        location.name,
      ),
      back: true,
    });
    if (!answer.back) return answer.item.scope;
  }
}

/**
 * Returns the organization's own locations. Excludes locations that other organizations share with
 * it, because roles on them must be granted in their own organizations.
 */
async function ownLocations({
  stores,
  organization: { id },
}: PickRoleOptions): Promise<readonly Location[]> {
  const all = await stores.locations.list(id);
  return all.filter(({ owner }) => owner === undefined || owner.id === id);
}

function isFree({ except = [] }: PickRoleOptions, name: RoleName): (scope: NamedScope) => boolean {
  return (scope) => !except.some((role) => sameRole(role, { ...scope, name }));
}

async function presetMachine({ stores, preset }: PickRoleOptions): Promise<NamedScope | undefined> {
  if (preset?.resourceType !== 'robot') return undefined;
  const { name } = await stores.machines.get(machineId(preset.resourceId));
  return { resourceType: 'robot', resourceId: preset.resourceId, name };
}

export type PickRolesOptions = Omit<PickRoleOptions, 'back'>;

type Decision = 'done' | 'more' | PickedRole;

/**
 * Prompts for one or more roles: for each role, prompts for the role, for its resource, and whether
 * to add another role. Throws `canceled` if the user dismisses the prompt.
 */
export async function pickRoles(options: PickRolesOptions): Promise<readonly Role[]> {
  let picked: readonly PickedRole[] = [];
  for (;;) {
    const next = await pickRole({
      ...options,
      except: [...(options.except ?? []), ...picked.map(({ role }) => role)],
      back: picked.length > 0,
    });
    if (next) picked = [...picked, next];
    let decision: Decision | undefined;
    while (picked.length > 0 && decision !== 'more') {
      decision = await review(options, picked);
      if (decision === 'done') return picked.map(({ role }) => role);
      if (decision === undefined) {
        picked = picked.slice(0, -1);
        decision = 'more';
      } else if (decision !== 'more') {
        const dropped = decision;
        picked = picked.filter((one) => one !== dropped);
      }
    }
  }
}

/**
 * Shows the selected roles. Returns undefined if the user goes back to select the last role again.
 */
async function review(
  { title }: PickRolesOptions,
  picked: readonly PickedRole[],
): Promise<Decision | undefined> {
  const items: readonly (vscode.QuickPickItem & { readonly decision: Decision })[] = [
    {
      label: vscode.l10n.t('$(check) Continue'),
      detail: escapeIcons(picked.map(({ text }) => text).join(' · ')),
      decision: 'done',
    },
    { label: vscode.l10n.t('$(add) Add Another Role…'), decision: 'more' },
    ...picked.map((one) => ({
      label: iconLabel('close', vscode.l10n.t('Remove {0}', one.text)),
      decision: one,
    })),
  ];
  const answer = await pickStep(items, {
    title,
    placeholder: vscode.l10n.t('Do these roles look right?'),
    back: true,
  });
  return answer.back ? undefined : answer.item.decision;
}
