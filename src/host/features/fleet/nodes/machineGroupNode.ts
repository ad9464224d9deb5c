import type { FragmentUseIndex } from '../../../../core/bulk/fragmentUseIndex';
import type { ListedMachine } from '../../../../core/stores/organizationListing';
import type { OnlineStatus } from '../../../../core/model/entities';
import type { MachineId } from '../../../../core/model/ids';
import { coversInside, type Granted, type RoleScope } from '../../../../core/model/permissions';
import { HintNode, LoadMoreNode } from './listNodes';
import { MachineContextValues, MachineNode } from './machineNode';
import {
  contextTokens,
  findOtherOwner,
  type OrganizationScope,
  startsOpen,
  toOrganizationScope,
  type TreeNode,
} from './treeNode';

/** Grouping criterion of a machine group. */
export type MachineGroup =
  | { readonly type: 'status'; readonly status: OnlineStatus }
  /**
   * Machines that use the fragment. If the fragment is undefined, machines that use no fragments.
   */
  | { readonly type: 'fragment'; readonly fragment: GroupFragment | undefined }
  /** Machines whose fragments couldn't be read. */
  | { readonly type: 'unreadable' };

export interface GroupFragment {
  readonly id: string;
  readonly name: string;
  /**
   * Number of parts that use the fragment, according to the service; 0 if the service doesn't count
   * them.
   */
  readonly partCount: number;
}

/** Node with an organization's machines that have the same status or use the same fragment. */
export class MachineGroupNode implements TreeNode {
  readonly kind = 'machineGroup';
  readonly id: string;
  readonly contextValue = contextTokens('machineGroup');
  /** Number of machines in the group; undefined until known. */
  readonly count: number | undefined;

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    readonly group: MachineGroup,
    /** Candidates for the machines in the group. */
    private readonly machines: readonly ListedMachine[],
    private readonly uses: FragmentUseIndex,
  ) {
    this.id = `${scope.nodeId}/group/${groupKey(group)}`;
    this.count = this.isKnown() ? this.members().length : undefined;
  }

  /** True if it's initially expanded to show a filter's matches. */
  get startsOpen(): boolean {
    return this.count !== undefined && startsOpen(this.scope);
  }

  get key(): string {
    return groupKey(this.group);
  }

  /**
   * Returns the machines of the group. Only groups by fragment require further calls, when the
   * first of them is opened.
   */
  async children(): Promise<readonly (MachineNode | HintNode | LoadMoreNode)[]> {
    const { context } = this.scope;
    if (!this.isKnown()) {
      const machines = this.machines.map(({ machine }) => machine);
      await this.uses.read(machines, context.listings.signal);
      context.onUsesRead();
    }
    const members = this.members();
    if (members.length === 0) return [new HintNode(this, 'noneInGroup')];
    const shown = context.shownCount(this.id);
    const page = members.slice(0, shown);
    const granted = await this.grantedOn(page);
    const now = context.clock.now();
    const ownValues = new MachineContextValues(this.scope);
    const nodes = page.map(({ machine, locations }, index) => {
      const { onMachine = this.scope.granted, onOwner } = granted[index] ?? {};
      const scope = onOwner ? { ...this.scope, ownerGranted: onOwner } : this.scope;
      const values = onOwner ? new MachineContextValues(scope) : ownValues;
      return new MachineNode(this, scope, machine, onMachine, now, values, locations);
    });
    return members.length > shown
      ? [...nodes, new LoadMoreNode(this, shown, members.length)]
      : nodes;
  }

  /** Returns true if a machine is in the group. */
  async containsMachine(id: MachineId): Promise<boolean> {
    const listed = this.machines.find(({ machine }) => machine.id === id);
    if (!listed) return false;
    if (this.group.type !== 'status') {
      await this.uses.read([listed.machine], this.scope.context.listings.signal);
    }
    return this.members().some(({ machine }) => machine.id === id);
  }

  private isKnown(): boolean {
    const { group, uses, machines } = this;
    return (
      group.type === 'status' ||
      (uses.knowsFragments && machines.every(({ machine }) => uses.knows(machine.id)))
    );
  }

  private members(): readonly ListedMachine[] {
    const { group, uses } = this;
    // The organization node has already grouped the machines by status.
    if (group.type === 'status') return this.machines;
    return this.machines.filter(({ machine }) => {
      if (uses.failedOn(machine.id)) return group.type === 'unreadable';
      if (group.type === 'unreadable') return false;
      const { fragment } = group;
      const used = uses.usedBy(machine.id);
      return fragment ? used.has(fragment.id) : used.size === 0;
    });
  }

  /**
   * Returns the permissions on machines. Requests them from the service only for machines that the
   * key's role on the organization doesn't cover.
   */
  private async grantedOn(page: readonly ListedMachine[]): Promise<readonly MachineRights[]> {
    const { context, granted, organizationId } = this.scope;
    const { access } = context.stores;
    const here = { type: 'organization', id: organizationId } as const;
    const covers = coversInside(here, granted);
    const entries = page.map(({ machine, locations }) => {
      const owner = findOtherOwner(locations, organizationId);
      return { id: machine.id, owner, isOpen: !covers || owner !== undefined };
    });
    const scopes = entries.map(({ id, owner, isOpen }): readonly RoleScope[] => [
      ...(isOpen ? [{ type: 'robot', id } as const] : []),
      ...(owner ? [toOrganizationScope(owner)] : []),
    ]);
    const answers = (await access.getPermissions(scopes.flat())).values();
    return entries.map(({ owner, isOpen }) => ({
      onMachine: isOpen ? answers.next().value : granted,
      onOwner: owner && answers.next().value,
    }));
  }
}

/** Permissions on a machine, and on its owner if another organization shares it. */
interface MachineRights {
  readonly onMachine: Granted | undefined;
  readonly onOwner: Granted | undefined;
}

/** Returns a key that is unique among an organization's groups. */
function groupKey(group: MachineGroup): string {
  switch (group.type) {
    case 'status':
      return group.status;
    case 'fragment':
      return `fragment/${group.fragment?.id ?? ''}`;
    case 'unreadable':
      return group.type;
  }
}
