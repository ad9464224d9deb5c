import { Disposable } from '../../../base/disposable';
import type { Commands } from '../../platform/commandRegistry';
import type { AccessTools } from './accessTools';
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
export class AccessFeature extends Disposable {
  constructor(
    private readonly commands: Commands,
    tools: AccessTools,
  ) {
    super();
    const { register } = this.registrar();
    register('fleetwright.member.invite', (target) => inviteMember(tools, target));
    register('fleetwright.member.find', () => findMember(tools));
    register('fleetwright.member.copyEmail', (target) => copyEmail(target));
    register('fleetwright.member.remove', (target) => removeMember(tools, target));
    register('fleetwright.member.showOrganizations', (target) =>
      showOrganizationsOfMember(tools, target),
    );
    register('fleetwright.invite.resend', (target) => resendInvite(tools, target));
    register('fleetwright.invite.change', (target) => changeInvite(tools, target));
    register('fleetwright.invite.withdraw', (target) => withdrawInvite(tools, target));
    register('fleetwright.role.add', (target) => addRole(tools, target));
    register('fleetwright.role.change', (target) => changeRole(tools, target));
    register('fleetwright.role.remove', (target) => removeRole(tools, target));
    register('fleetwright.resource.showRoles', (target) => showRoles(tools, target));
  }

  private registrar(): { readonly register: Commands['register'] } {
    return { register: (id, handler) => this.register(this.commands.register(id, handler)) };
  }
}
