import { CommandFeature } from '../../platform/commandFeature';
import type { FleetTools } from '../../platform/fleetTools';

// Loaded when one of its commands first runs.
const inviteCommands = () => import('./commands/inviteCommands');
const memberCommands = () => import('./commands/memberCommands');
const changeInvite = () => import('./commands/changeInvite');
const roleCommands = () => import('./commands/roleCommands');
const showRoles = () => import('./commands/showRoles');

/** Feature for the members of an organization and their permissions. */
export class AccessFeature extends CommandFeature {
  constructor(tools: FleetTools) {
    super(tools.commands);
    this.command('fleetwright.member.invite', async (target) =>
      (await inviteCommands()).inviteMember(tools, target),
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
      (await inviteCommands()).resendInvite(tools, target),
    );
    this.command('fleetwright.invite.change', async (target) =>
      (await changeInvite()).changeInvite(tools, target),
    );
    this.command('fleetwright.invite.withdraw', async (target) =>
      (await inviteCommands()).withdrawInvite(tools, target),
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
