import type { ConfigNode } from './configDiagnostic';

/** References from each name to other names, and their positions in a config. */
export type ReferenceGraph = ReadonlyMap<
  string,
  readonly { readonly to: string; readonly at: ConfigNode }[]
>;

/** Names that refer to each other in a circle. */
export interface Cycle {
  /** Names along the cycle; the last one equals the first one. */
  readonly cycle: readonly string[];
  /** The reference that closes the cycle. */
  readonly at: ConfigNode;
}

/** Returns the cycles of a graph. Cycles that share a reference can be returned as one. */
export function findCycles(edges: ReferenceGraph): Cycle[] {
  const cycles: Cycle[] = [];
  const finished = new Set<string>();
  for (const start of edges.keys()) {
    // Iterative, because a malicious config could have a chain longer than the call stack.
    const stack = [{ name: start, next: 0 }];
    const onPath = new Set([start]);
    while (stack.length > 0) {
      const top = stack.at(-1);
      if (!top) break;
      const edge = finished.has(top.name) ? undefined : edges.get(top.name)?.[top.next];
      top.next += 1;
      if (!edge) {
        finished.add(top.name);
        onPath.delete(top.name);
        stack.pop();
      } else if (onPath.has(edge.to)) {
        const names = stack.map(({ name }) => name);
        cycles.push({ cycle: [...names.slice(names.indexOf(edge.to)), edge.to], at: edge.at });
      } else if (!finished.has(edge.to)) {
        stack.push({ name: edge.to, next: 0 });
        onPath.add(edge.to);
      }
    }
  }
  return cycles;
}
