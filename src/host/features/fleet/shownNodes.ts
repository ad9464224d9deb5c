import { targetId } from '../../../core/model/resourceTarget';
import type { ErrorNode } from './nodes/errorNode';
import type { FleetNode } from './nodes/fleetNode';

const TOP = '';

/** The nodes that VS Code holds now, so that a change of a resource finds the nodes that show it. */
export class ShownNodes {
  private readonly nodes = new Map<string, FleetNode>();
  private readonly childIds = new Map<string, readonly string[]>();

  get(id: string): FleetNode | undefined {
    return this.nodes.get(id);
  }

  /** Nodes of one kind that stand for any of these resources. */
  ofKind(kind: FleetNode['kind'], resourceIds: ReadonlySet<string>): readonly FleetNode[] {
    if (resourceIds.size === 0) return [];
    return [...this.nodes.values()].filter(
      (node) =>
        node.kind === kind &&
        'target' in node &&
        node.target !== undefined &&
        resourceIds.has(targetId(node.target)),
    );
  }

  /** Nodes whose children are here. */
  opened(): readonly FleetNode[] {
    return [...this.childIds.keys()].flatMap((id) => this.nodes.get(id) ?? []);
  }

  /** What stands for lists that no service answered for. */
  unanswered(): readonly ErrorNode[] {
    return [...this.nodes.values()].flatMap((node) =>
      node.kind === 'error' && node.error.kind === 'unavailable' ? [node] : [],
    );
  }

  childrenOf(parent: FleetNode): readonly FleetNode[] {
    return (this.childIds.get(parent.id) ?? []).flatMap((id) => this.nodes.get(id) ?? []);
  }

  replaceChildren(parent: FleetNode | undefined, children: readonly FleetNode[]): void {
    const key = parent?.id ?? TOP;
    const ids = children.map(({ id }) => id);
    const before = this.childIds.get(key) ?? [];
    // A further page leaves all before it in their places: only what follows needs a look.
    const firstMoved = before.findIndex((id, index) => id !== ids[index]);
    if (firstMoved !== -1) {
      const kept = new Set(ids.slice(firstMoved));
      for (const id of before.slice(firstMoved)) if (!kept.has(id)) this.drop(id);
    }
    for (const child of children) this.nodes.set(child.id, child);
    this.childIds.set(key, ids);
  }

  clear(): void {
    this.nodes.clear();
    this.childIds.clear();
  }

  private drop(id: string): void {
    const below = this.childIds.get(id) ?? [];
    this.childIds.delete(id);
    this.nodes.delete(id);
    for (const child of below) this.drop(child);
  }
}
