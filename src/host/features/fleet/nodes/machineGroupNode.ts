import type { FragmentUseIndex } from '../../../../core/bulk/fragmentUseIndex';
import type { ListedMachine } from '../../../../core/listing/organizationListing';
import type { OnlineStatus } from '../../../../core/model/entities';
import type { MachineId } from '../../../../core/model/ids';
import { coversInside, type Granted } from '../../../../core/model/permissions';
import { HintNode } from './hintNode';
import { LoadMoreNode } from './loadMoreNode';
import { MachineNode } from './machineNode';
import { contextTokens, type OrganizationScope, startsOpen, type TreeNode } from './treeNode';

/** What the machines of a group have in common. */
export type MachineGroup =
  | { readonly type: 'status'; readonly status: OnlineStatus }
  /** Without a fragment: those that use none. */
  | { readonly type: 'fragment'; readonly fragment: FragmentOfGroup | undefined }
  /** Those that did not tell which fragments they use. */
  | { readonly type: 'unreadable' };

export interface FragmentOfGroup {
  readonly id: string;
  readonly name: string;
  /** Parts that use it, as the service counts them; 0 when it does not. */
  readonly partCount: number;
}

/** The machines of an organization with one status, or that use one fragment. */
export class MachineGroupNode implements TreeNode {
  readonly kind = 'machineGroup';
  readonly id: string;
  readonly contextValue = contextTokens('machineGroup');
  /** How many machines are in it; undefined until it is known. */
  readonly count: number | undefined;

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    readonly group: MachineGroup,
    /** Those that may be in the group. */
    private readonly machines: readonly ListedMachine[],
    private readonly uses: FragmentUseIndex,
  ) {
    this.id = `${scope.nodeId}/group/${groupKey(group)}`;
    this.count = this.isKnown() ? this.members().length : undefined;
  }

  /** Whether it shows at once what a filter has found in it. */
  get startsOpen(): boolean {
    return this.count !== undefined && startsOpen(this.scope);
  }

  get key(): string {
    return groupKey(this.group);
  }

  /** Only groups by fragment need a call for each machine, the first time one of them is opened. */
  async children(): Promise<readonly (MachineNode | HintNode | LoadMoreNode)[]> {
    const { context } = this.scope;
    if (!this.isKnown()) {
      const ids = this.machines.map(({ machine }) => machine.id);
      await this.uses.read(ids, context.listings.signal);
      context.onUsesRead();
    }
    const members = this.members();
    if (members.length === 0) return [new HintNode(this, 'noneInGroup')];
    const shown = context.shownCount(this.id);
    const page = members.slice(0, shown);
    const granted = await this.grantedOn(page);
    const now = context.clock.now();
    const nodes = page.map(
      ({ machine, locations }, index) =>
        new MachineNode(
          this,
          this.scope,
          machine,
          granted[index] ?? this.scope.granted,
          now,
          locations,
        ),
    );
    return members.length > shown
      ? [...nodes, new LoadMoreNode(this, shown, members.length)]
      : nodes;
  }

  /** Whether a machine is in it. */
  async holds(id: MachineId): Promise<boolean> {
    if (!this.machines.some(({ machine }) => machine.id === id)) return false;
    if (this.group.type !== 'status') {
      await this.uses.read([id], this.scope.context.listings.signal);
    }
    return this.members().some(({ machine }) => machine.id === id);
  }

  private isKnown(): boolean {
    return (
      this.group.type === 'status' ||
      this.machines.every(({ machine }) => this.uses.knows(machine.id))
    );
  }

  private members(): readonly ListedMachine[] {
    const { group, uses } = this;
    // The organization has sorted them by status already.
    if (group.type === 'status') return this.machines;
    return this.machines.filter(({ machine }) => {
      if (uses.failedOn(machine.id)) return group.type === 'unreadable';
      if (group.type === 'unreadable') return false;
      const { fragment } = group;
      const used = uses.usedBy(machine.id);
      return fragment ? used.has(fragment.id) : used.size === 0;
    });
  }

  /** What the key may do: asked of the service only for machines that its role here does not cover. */
  private async grantedOn(page: readonly ListedMachine[]): Promise<readonly Granted[]> {
    const { context, granted, organizationId } = this.scope;
    const here = { type: 'organization', id: organizationId } as const;
    const covers = coversInside(here, granted);
    const isOpen = ({ locations }: ListedMachine): boolean =>
      !covers || locations.some(({ owner }) => owner !== undefined && owner.id !== organizationId);
    const open = page.filter(isOpen);
    const answers = await context.stores.access.mayOn(
      open.map(({ machine }) => ({ type: 'robot', id: machine.id })),
    );
    const asked = new Map(open.map((listed, index) => [listed, answers[index]]));
    return page.map((listed) => asked.get(listed) ?? granted);
  }
}

/** Tells the groups of an organization apart. */
export function groupKey(group: MachineGroup): string {
  switch (group.type) {
    case 'status':
      return group.status;
    case 'fragment':
      return `fragment/${group.fragment?.id ?? ''}`;
    case 'unreadable':
      return group.type;
  }
}
