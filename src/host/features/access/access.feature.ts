import { CommandFeature } from '../../platform/commands/commandRegistry';
import type { FleetTools } from '../../platform/fleetTools';
import type { ApiKeyTools } from './apiKeyTools';

// Loaded when one of its commands first runs.
const memberCommands = () => import('./commands/memberCommands');
const changeInvite = () => import('./commands/changeInvite');
const roleCommands = () => import('./commands/roleCommands');
const showRoles = () => import('./commands/showRoles');

/** Feature for an organization's members and their permissions. */
export class AccessFeature extends CommandFeature {
  constructor(tools: FleetTools) {
    super(tools.commands);
    this.command('fleetwright.member.invite', async (target) =>
      (await memberCommands()).inviteMember(tools, target),
    );
    this.command('fleetwright.member.find', async () => (await memberCommands()).findMember(tools));
    this.command('fleetwright.member.copyEmail', async (target) =>
      (await memberCommands()).copyEmail(target),
    );
    this.command('fleetwright.member.remove', async (target) =>
      (await memberCommands()).removeMember(tools, target),
    );
    this.command('fleetwright.member.showOrganizations', async (target) =>
      (await memberCommands()).showMemberOrganizations(tools, target),
    );
    this.command('fleetwright.invite.resend', async (target) =>
      (await memberCommands()).resendInvite(tools, target),
    );
    this.command('fleetwright.invite.change', async (target) =>
      (await changeInvite()).changeInvite(tools, target),
    );
    this.command('fleetwright.invite.withdraw', async (target) =>
      (await memberCommands()).revokeInvitation(tools, target),
    );
    this.command('fleetwright.role.add', async (target) =>
      (await roleCommands()).addRole(tools, target),
    );
    this.command('fleetwright.role.change', async (target) =>
      (await roleCommands()).changeRole(tools, target),
    );
    this.command('fleetwright.role.remove', async (target) =>
      (await roleCommands()).removeRole(tools, target),
    );
    this.command('fleetwright.resource.showRoles', async (target) =>
      (await showRoles()).showRoles(tools, target),
    );
  }
}

// Loaded when one of its commands first runs.
const apiKeyCommands = () => import('./commands/apiKeyCommands');

/** Feature for the API keys that programs, machines, and this extension use to sign in. */
export class ApiKeysFeature extends CommandFeature {
  constructor(tools: ApiKeyTools) {
    super(tools.commands);
    this.command('fleetwright.apiKey.create', async (target) =>
      (await apiKeyCommands()).createApiKey(tools, target),
    );
    this.command('fleetwright.apiKey.duplicate', async (target) =>
      (await apiKeyCommands()).duplicateApiKey(tools, target),
    );
    this.command('fleetwright.apiKey.rotate', async (target) =>
      (await apiKeyCommands()).rotateApiKey(tools, target),
    );
    this.command('fleetwright.apiKey.delete', async (target) =>
      (await apiKeyCommands()).deleteApiKey(tools, target),
    );
    this.command('fleetwright.machine.showApiKeys', async (target) =>
      (await apiKeyCommands()).showMachineApiKeys(tools, target),
    );
  }
}
