import { readFileSync } from 'node:fs';

/** Heap snapshot in V8's format, in which nodes and edges are lists of numbers. */
interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly [readonly string[], ...unknown[]];
    };
  };
  readonly nodes: readonly number[];
  readonly strings: readonly string[];
}

/** Counts the objects in a heap snapshot by the name of their constructor. */
export function countObjects(file: string): ReadonlyMap<string, number> {
  const { snapshot, nodes, strings } = JSON.parse(readFileSync(file, 'utf8')) as Snapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [typeAt, nameAt] = [fields.indexOf('type'), fields.indexOf('name')];
  const objectType = types[0].indexOf('object');
  const counts = new Map<string, number>();
  for (let node = 0; node < nodes.length; node += fields.length) {
    if (nodes[node + typeAt] !== objectType) continue;
    const name = strings[nodes[node + nameAt] ?? -1] ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
