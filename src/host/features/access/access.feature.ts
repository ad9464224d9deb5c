import { CommandFeature } from '../../platform/commandFeature';
import type { FleetTools } from '../../platform/fleetTools';
import { changeInvite } from './commands/changeInvite';
import { inviteMember, resendInvite, withdrawInvite } from './commands/inviteCommands';
import {
  copyEmail,
  findMember,
  removeMember,
  showOrganizationsOfMember,
} from './commands/memberCommands';
import { addRole, changeRole, removeRole } from './commands/roleCommands';
import { showRoles } from './commands/showRoles';

/** Who belongs to an organization and who may do what in it. */
export class AccessFeature extends CommandFeature {
  constructor(tools: FleetTools) {
    super(tools.commands);
    this.command('fleetwright.member.invite', (target) => inviteMember(tools, target));
    this.command('fleetwright.member.find', () => findMember(tools));
    this.command('fleetwright.member.copyEmail', (target) => copyEmail(target));
    this.command('fleetwright.member.remove', (target) => removeMember(tools, target));
    this.command('fleetwright.member.showOrganizations', (target) =>
      showOrganizationsOfMember(tools, target),
    );
    this.command('fleetwright.invite.resend', (target) => resendInvite(tools, target));
    this.command('fleetwright.invite.change', (target) => changeInvite(tools, target));
    this.command('fleetwright.invite.withdraw', (target) => withdrawInvite(tools, target));
    this.command('fleetwright.role.add', (target) => addRole(tools, target));
    this.command('fleetwright.role.change', (target) => changeRole(tools, target));
    this.command('fleetwright.role.remove', (target) => removeRole(tools, target));
    this.command('fleetwright.resource.showRoles', (target) => showRoles(tools, target));
  }
}
