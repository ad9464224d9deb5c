import { targetId } from '../../../core/model/resourceTarget';
import type { ErrorNode } from './nodes/errorNode';
import type { FleetNode } from './nodes/fleetNode';

const TOP = '';

/** Nodes that VS Code currently has, for finding the nodes of a changed resource. */
export class ShownNodes {
  private readonly nodes = new Map<string, FleetNode>();
  private readonly childIds = new Map<string, readonly string[]>();

  get(id: string): FleetNode | undefined {
    return this.nodes.get(id);
  }

  /** Returns the nodes of one kind that represent any of these resources. */
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

  /** Returns the nodes whose children are loaded. */
  opened(): readonly FleetNode[] {
    return [...this.childIds.keys()].flatMap((id) => this.nodes.get(id) ?? []);
  }

  /** Returns the error nodes of lists that failed because the service didn't respond. */
  unanswered(): readonly ErrorNode[] {
    return [...this.nodes.values()].flatMap((node) =>
      node.kind === 'error' && node.error.kind === 'unavailable' ? [node] : [],
    );
  }

  listChildren(parent: FleetNode): readonly FleetNode[] {
    return (this.childIds.get(parent.id) ?? []).flatMap((id) => this.nodes.get(id) ?? []);
  }

  replaceChildren(parent: FleetNode | undefined, children: readonly FleetNode[]): void {
    const key = parent?.id ?? TOP;
    const ids = children.map(({ id }) => id);
    const before = this.childIds.get(key) ?? [];
    // Adding a page doesn't move the existing children, so only children after the first difference
    // must be checked.
    const firstMoved = before.findIndex((id, index) => id !== ids[index]);
    if (firstMoved !== -1) {
      const remaining = new Set(ids.slice(firstMoved));
      for (const id of before.slice(firstMoved)) if (!remaining.has(id)) this.drop(id);
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
