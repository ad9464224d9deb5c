import type { ConfigNode } from './configDiagnostic';
import type { ResourceNames } from './resourceNames';

const MAX_CYCLE_NAMES = 8;

/** Resources that depend on each other, or frames that are parents of each other. */
export interface Cycle {
  readonly kind: 'dependency' | 'frame';
  /** Names along the cycle, such as `a → b → a`; the middle of a long cycle is omitted. */
  readonly cycle: string;
  /** The reference that closes the cycle. */
  readonly at: ConfigNode;
}

/** Maximum number of cycles of a kind. More of them wouldn't be helpful. */
const MAX_CYCLES = 100;

/** Number of references per step. */
const STEP_REFERENCES = 500;

/** Returns the cycles of a config, in steps. Cycles that share a reference can be returned as one. */
export function* findCycles({
  definitions,
  references,
}: ResourceNames): Generator<undefined, Cycle[], void> {
  // Offsets identify entries.
  const owners = new Map(definitions.map((one) => [one.entry.node.offset, one.text]));
  const seen = new Set<string>();
  const ambiguous = new Set<string>();
  for (const { text } of definitions) (seen.has(text) ? ambiguous : seen).add(text);
  const cycles: Cycle[] = [];
  for (const kind of ['dependency', 'frame'] as const) {
    const edges = new Map<string, { readonly to: string; readonly at: ConfigNode }[]>();
    for (const [index, reference] of references.entries()) {
      if (index % STEP_REFERENCES === 0) yield;
      const owner = reference.kind === kind ? ownerOf(reference.at, owners) : undefined;
      // A reference to a resource on a remote leads out of the config.
      if (owner === undefined || ambiguous.has(reference.name)) continue;
      if (reference.text.includes(`${reference.name}:`)) continue;
      const list = edges.get(owner) ?? [];
      list.push({ to: reference.name, at: reference.at });
      edges.set(owner, list);
    }
    for (const { names, at } of yield* findCyclesIn(edges)) {
      cycles.push({ kind, cycle: formatCycle(names), at });
    }
  }
  return cycles;
}

function ownerOf(at: ConfigNode, owners: ReadonlyMap<number, string>): string | undefined {
  for (let node = at.node.parent; node; node = node.parent) {
    const owner = owners.get(node.offset);
    if (owner !== undefined) return owner;
  }
  return undefined;
}

/** Joins the names of a cycle, and omits the middle of a long cycle. */
function formatCycle(cycle: readonly string[]): string {
  const shown =
    cycle.length <= MAX_CYCLE_NAMES ? cycle : [...cycle.slice(0, 4), '…', ...cycle.slice(-2)];
  return shown.join(' → ');
}

type ReferenceGraph = ReadonlyMap<
  string,
  readonly { readonly to: string; readonly at: ConfigNode }[]
>;

interface NamedCycle {
  /** Names along the cycle; the last one equals the first one. */
  readonly names: readonly string[];
  readonly at: ConfigNode;
}

function* findCyclesIn(edges: ReferenceGraph): Generator<undefined, NamedCycle[], void> {
  const cycles: NamedCycle[] = [];
  let count = 0;
  const finished = new Set<string>();
  for (const start of edges.keys()) {
    // Iterative, because a malicious config could contain a chain that overflows the call stack.
    const stack = [{ name: start, next: 0 }];
    const onPath = new Set([start]);
    while (stack.length > 0 && cycles.length < MAX_CYCLES) {
      count += 1;
      if (count % STEP_REFERENCES === 0) yield;
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
        cycles.push({ names: [...names.slice(names.indexOf(edge.to)), edge.to], at: edge.at });
      } else if (!finished.has(edge.to)) {
        stack.push({ name: edge.to, next: 0 });
        onPath.add(edge.to);
      }
    }
  }
  return cycles;
}
